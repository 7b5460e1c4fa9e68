import type { BoxMetrics } from './api/box-api.ts'
import { newest } from './assessment.ts'
import type { Box, CatchProv } from './box.ts'
import { type ColdChain, coldChain } from './cold-chain.ts'
import { shelfLifeOf, speciesNamed } from './species.ts'
import { pastItsBest, stars } from './stars.ts'
import { bestBy, type TimeLeft, timeLeft } from './time-left.ts'

/** What a box's records add up to in the market's time zone, with the reason where there is no figure. Source: freshness.md. */
export function boxMetrics(box: Box, timeZone: string): BoxMetrics {
  const readings = box.iotResult?.iotTracking ?? []
  const caught = box.catchProv?.time ?? null
  const species = speciesCaught(box.catchProv)
  return metricsFrom({
    catchProv: box.catchProv,
    freshnessIndex: newest(box.freshness, timeZone)?.freshnessIndex ?? null,
    timeLeft: timeLeft({
      readings,
      caught,
      kind: species?.kind ?? 'temperate',
      shelfLife: species && shelfLifeOf(species),
      timeZone,
    }),
    coldChain: coldChain(readings, caught, timeZone),
  })
}

/** The species of a catch; undefined for one that is not known. */
export const speciesCaught = (catchProv: CatchProv | null) =>
  catchProv === null ? undefined : speciesNamed(catchProv.species)

/** The figures, of what a history adds up to. */
export function metricsFrom(of: {
  catchProv: CatchProv | null
  freshnessIndex: number | null
  timeLeft: TimeLeft
  coldChain: ColdChain | null
}): BoxMetrics {
  const { freshnessIndex } = of
  return {
    freshnessIndex,
    stars: freshnessIndex === null ? null : stars(freshnessIndex),
    pastItsBest: freshnessIndex !== null && pastItsBest(freshnessIndex),
    ...timeLeftMetrics(of.timeLeft, speciesCaught(of.catchProv)?.name ?? ''),
    coldChain: of.coldChain,
  }
}

function timeLeftMetrics(result: TimeLeft, species: string): Pick<BoxMetrics, 'timeLeft' | 'timeLeftWhyNot'> {
  if (!result.known) return { timeLeft: null, timeLeftWhyNot: result.words }
  const { shelfLife, used, kind, lastReadingAt } = result
  const best = bestBy({ kind, shelfLifeAt0: shelfLife.daysAt0, used, lastReadingAt })
  return {
    timeLeft: {
      species,
      shelfLifeAt0: shelfLife.daysAt0,
      kind,
      unconfirmed: shelfLife.unconfirmed,
      daysUsed: used.days,
      low: used.low,
      high: used.high,
      lastReadingAt: rfc3339(lastReadingAt),
      bestBy: { at: rfc3339(best.at), low: rfc3339(best.low), high: rfc3339(best.high) },
    },
    timeLeftWhyNot: null,
  }
}

const rfc3339 = (instant: number): string => new Date(instant).toISOString()
