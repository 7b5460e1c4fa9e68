import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { newest } from '@befaqt/domain/assessment'
import type { Box } from '@befaqt/domain/box'
import { coldChain } from '@befaqt/domain/cold-chain'
import { shelfLifeOf, speciesNamed } from '@befaqt/domain/species'
import { pastItsBest, stars } from '@befaqt/domain/stars'
import { timeLeft } from '@befaqt/domain/time-left'

/** What a box's records add up to in the market's time zone, with the reason where there is no figure. Source: freshness.md. */
export function boxMetrics(box: Box, timeZone: string): BoxMetrics {
  const latest = newest(box.freshness, timeZone)?.freshnessIndex ?? null
  const readings = box.iotResult?.iotTracking ?? []
  const caught = box.catchProv?.time ?? null
  return {
    freshnessIndex: latest,
    stars: latest === null ? null : stars(latest),
    pastItsBest: latest !== null && pastItsBest(latest),
    ...timeLeftMetrics(box, timeZone),
    coldChain: coldChain(readings, caught, timeZone),
  }
}

function timeLeftMetrics(
  { catchProv, iotResult }: Box,
  timeZone: string,
): Pick<BoxMetrics, 'timeLeft' | 'timeLeftWhyNot'> {
  const species = catchProv === null ? undefined : speciesNamed(catchProv.species)
  const result = timeLeft({
    readings: iotResult?.iotTracking ?? [],
    caught: catchProv?.time ?? null,
    kind: species?.kind ?? 'temperate',
    shelfLife: species && shelfLifeOf(species),
    timeZone,
  })
  if (!result.known) return { timeLeft: null, timeLeftWhyNot: result.words }
  const { shelfLife, used, left } = result
  return {
    timeLeft: {
      species: species?.name ?? '',
      shelfLifeAt0: shelfLife.daysAt0,
      unconfirmed: shelfLife.unconfirmed,
      daysUsed: used.days,
      low: used.low,
      high: used.high,
      left,
    },
    timeLeftWhyNot: null,
  }
}
