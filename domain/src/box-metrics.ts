import type { BoxMetrics } from './api/box-api.ts'
import type { Box, CatchProv } from './box.ts'
import { COLD_LIMIT, type ColdChain, coldChain, inTimeOrder } from './cold-chain.ts'
import { MINUTE_MS } from './durations.ts'
import { newest } from './freshness.ts'
import { pastItsBest, stars } from './freshness-word.ts'
import { AT_MARKET_KM, type BoxStage, kilometres, type Place } from './place.ts'
import { shelfLifeOf, speciesNamed } from './species.ts'
import { bestBy, type Held, heldSince, type Measured, type TimeLeft, timeLeft } from './time-left.ts'

/**
 * What a box's records add up to in the market's time zone, with the reason where there is no figure. Source:
 * freshness.md.
 * @param probes of its hand-overs (`probesOf`), which are no part of a Box
 */
export function boxMetrics(box: Box, timeZone: string, probes: readonly Measured[] = []): BoxMetrics {
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
    lastReading: inTimeOrder(readings, timeZone).at(-1),
    probes,
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
  /** Undefined without readings. */
  lastReading: Measured | undefined
  probes: readonly Measured[]
}): BoxMetrics {
  const { freshnessIndex, lastReading } = of
  const species = speciesCaught(of.catchProv)
  const held = lastReading && heldSince(lastReading, of.probes)
  return {
    freshnessIndex,
    stars: freshnessIndex === null ? null : stars(freshnessIndex),
    pastItsBest: freshnessIndex !== null && pastItsBest(freshnessIndex),
    ...timeLeftMetrics(of.timeLeft, species?.name ?? '', held),
    lastMeasured: lastReading && held ? lastMeasured(lastReading, held, of) : null,
    coldChain: of.coldChain,
    formsHistamine: species?.formsHistamine ?? false,
  }
}

/** The last temperature of a box, of its sensor or a probe, and from when on a warm one leaves its state unknown. */
function lastMeasured(
  reading: Measured,
  held: readonly [Held, ...Held[]],
  { probes, coldChain }: { probes: readonly Measured[]; coldChain: ColdChain | null },
): NonNullable<BoxMetrics['lastMeasured']> {
  const { from } = held.at(-1) ?? held[0]
  const isProbe = held.length > 1
  const last = isProbe ? (probes.findLast(({ at }) => at === from) ?? reading) : reading
  const usual = coldChain?.usualIntervalMinutes ?? 0
  const silentFrom = Math.max(last.at, reading.at + Math.round(2 * usual * MINUTE_MS))
  return {
    at: rfc3339(last.at),
    temperature: last.temperature,
    isProbe,
    unknownFrom: last.temperature > COLD_LIMIT ? rfc3339(silentFrom) : null,
  }
}

function timeLeftMetrics(
  result: TimeLeft,
  species: string,
  held: readonly [Held, ...Held[]] | undefined,
): Pick<BoxMetrics, 'timeLeft' | 'timeLeftWhyNot'> {
  if (!result.known) return { timeLeft: null, timeLeftWhyNot: result.words }
  if (held === undefined) return { timeLeft: null, timeLeftWhyNot: null }
  const { shelfLife, used, kind, lastReadingAt } = result
  const best = bestBy({ kind, shelfLifeAt0: shelfLife.daysAt0, used, held })
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
      held: held.map(({ temperature, from }) => ({ temperature, from: rfc3339(from) })),
      bestBy: { at: rfc3339(best.at), low: rfc3339(best.low), high: rfc3339(best.high) },
    },
    timeLeftWhyNot: null,
  }
}

const rfc3339 = (instant: number): string => new Date(instant).toISOString()

/** Nearer to the shore than this a boat is landing, or a lorry is on a road by the sea. */
const LANDED_KM = 2

/** Is a place on water, more than `km` from every shore? Needs a coastline, which this package does not have. */
type IsOffshore = (place: Place, km: number) => boolean

/** Where a box is that is not sealed. */
type OpenStage = Exclude<BoxStage, 'sealed'>

/**
 * Where a box is by its newest position, lost ones (a zero) passed over, the place of the catch before any reading:
 * at market within 2 km of it; at sea on water more than 2 km from every shore; on the road elsewhere. Without a
 * position it is only registered.
 */
export const stageOf = (
  { iotResult, catchProv }: Pick<Box, 'iotResult' | 'catchProv'>,
  market: Place & { timeZone: string },
  isOffshore: IsOffshore,
): OpenStage => {
  const reading = newest((iotResult?.iotTracking ?? []).filter(isPlaced), market.timeZone)
  return stageAt(reading, catchProv, market, isOffshore)
}

/** `stageOf` by the newest reading with a position. */
export function stageAt(
  reading: Place | undefined,
  catchProv: Box['catchProv'],
  market: Place,
  isOffshore: IsOffshore,
): OpenStage {
  const place = reading ?? (catchProv !== null && isPlaced(catchProv) ? catchProv : undefined)
  if (place === undefined) return 'registered'
  if (kilometres(place, market) <= AT_MARKET_KM) return 'at market'
  return isOffshore(place, LANDED_KM) ? 'at sea' : 'on the road'
}

/** Has it a position, or was it lost (a zero)? */
export const isPlaced = ({ latitude, longitude }: Place): boolean => latitude !== 0 && longitude !== 0
