import { DAY_MS } from './durations.ts'
import { instantOf } from './market-time.ts'
import { inTimeOrder, intervals, isSilence, type Reading, usualInterval } from './readings.ts'
import type { ShelfLife, SpoilageKind } from './species-shelf-life.ts'
import { celsius } from './tracking.ts'

/** Below this, superchilled or frozen, the model does not apply. Source: freshness.md §2. */
export const SUPERCHILLED_BELOW = -1.5
/** Uncertainty of the model, as a share of the days used. Source: freshness.md §2. */
export const UNCERTAINTY = 0.15
/** Ice, a good fridge and a warm one, in °C. Source: freshness.md §2. */
export const HOLDING_TEMPERATURES = [0, 4, 7] as const

/** Per °C: of the square root model for temperate species (Ratkowsky), and of the exponential one for tropical ones. */
const SLOPES = { temperate: 0.1, tropical: 0.12 } as const

/** Relative rate of spoilage: shelf life at 0 °C over shelf life at `temperature`. Source: freshness.md §2. */
export function rateOfSpoilage(kind: SpoilageKind, temperature: number): number {
  const change = SLOPES[kind] * temperature
  return kind === 'tropical' ? Math.exp(change) : Math.max(0, 1 + change) ** 2
}

/** `rateOfSpoilage` of temperate and of tropical species at T °C, as pages say it. */
export const spoilageFormulas = {
  temperate: `(1 + ${SLOPES.temperate} × T)²`,
  tropical: `e^(${SLOPES.tropical} × T)`,
} as const

/** Days at 0 °C that a history has used, with range; `high` assumes the warmer neighbour's temperature in silences. */
export type DaysUsed = { days: number; low: number; high: number }

/**
 * Days used from the catch to the last reading: the rate between two readings is their mean; before the first
 * reading its temperature counts; readings before the catch don't. Null without a reading. Source: freshness.md §2.
 * @param caughtAt milliseconds since 1970
 */
export function daysUsed(
  readings: readonly Reading[],
  caughtAt: number,
  kind: SpoilageKind,
  timeZone: string,
): DaysUsed | null {
  const ordered = inTimeOrder(readings, timeZone).filter(({ at }) => at >= caughtAt)
  const first = ordered[0]
  if (first === undefined) return null
  const usual = usualInterval(ordered)
  const before = (rateOfSpoilage(kind, first.temperature) * (first.at - caughtAt)) / DAY_MS
  let days = before
  let worst = before
  for (const interval of intervals(ordered)) {
    const rates = [interval.from, interval.to].map(({ temperature }) => rateOfSpoilage(kind, temperature))
    const [a = 0, b = 0] = rates
    const span = interval.ms / DAY_MS
    days += ((a + b) / 2) * span
    worst += (isSilence(interval, usual) ? Math.max(a, b) : (a + b) / 2) * span
  }
  return withRange(days, worst)
}

/** Days used with their range. @param worst the days with silences at the warmer neighbour's temperature */
export const withRange = (days: number, worst: number): DaysUsed => ({
  days,
  low: days * (1 - UNCERTAINTY),
  high: worst * (1 + UNCERTAINTY),
})

/** Where a box is taken to lie from its last reading on, in °C: on ice. Source: freshness.md §2. */
const HELD_SINCE_LAST_READING = HOLDING_TEMPERATURES[0]

/** A share of the shelf life that was used up to the last reading, and what the species has. Times: milliseconds since 1970. */
export type ShelfLifeUsed = {
  kind: SpoilageKind
  shelfLifeAt0: number
  used: DaysUsed
  lastReadingAt: number
}

/** Until when fish on ice is at its best, with range. Milliseconds since 1970. */
export type BestBy = { at: number; low: number; high: number }

/**
 * The last reading and what is left then, kept on ice from there. It stays as it is while time goes by. Never before
 * 1970: heat that no fish meets uses up more days than a date can say.
 */
export function bestBy({ kind, shelfLifeAt0, used, lastReadingAt }: ShelfLifeUsed): BestBy {
  const rate = rateOfSpoilage(kind, HELD_SINCE_LAST_READING)
  const after = (days: number): number => Math.max(0, lastReadingAt + ((shelfLifeAt0 - days) / rate) * DAY_MS)
  return { at: after(used.days), low: after(used.high), high: after(used.low) }
}

/** Days left when held at a temperature, with range; never below 0. */
export type DaysLeft = { temperature: number; days: number; low: number; high: number }

/**
 * Days left as of `now` when held at `temperature` °C from then on: what is left on ice ÷ the rate there. From the last
 * reading to `now` the box is taken to lie on ice. Source: freshness.md §2.
 * @param now milliseconds since 1970
 */
export function daysLeft(shelf: ShelfLifeUsed, temperature: number, now: number): DaysLeft {
  const { at, low, high } = bestBy(shelf)
  const rate = rateOfSpoilage(shelf.kind, temperature) / rateOfSpoilage(shelf.kind, HELD_SINCE_LAST_READING)
  const from = Math.max(now, shelf.lastReadingAt)
  const until = (end: number): number => Math.max(0, (end - from) / DAY_MS / rate)
  return { temperature, days: until(at), low: until(low), high: until(high) }
}

/** Why the remaining shelf life is unknown. */
export type NoTimeLeft = 'no-shelf-life' | 'no-catch-time' | 'no-readings' | 'superchilled'

/** The reasons as texts for shoppers. */
export const noTimeLeftMessages: Record<NoTimeLeft, string> = {
  'no-shelf-life': 'No shelf-life data for this species yet.',
  'no-catch-time': 'The time of the catch is not recorded, so the days cannot be counted.',
  'no-readings': 'There are no temperature readings since the catch yet.',
  superchilled: `This box was colder than ${celsius(SUPERCHILLED_BELOW)}: superchilled or frozen fish does not follow the model.`,
}

export type TimeLeft =
  | { known: true; shelfLife: ShelfLife; used: DaysUsed; kind: SpoilageKind; lastReadingAt: number }
  | { known: false; why: NoTimeLeft; words: string }

/** Remaining shelf life of a box from its real temperatures, or why there is none. Source: freshness.md §2. */
export function timeLeft(of: {
  readings: readonly Reading[]
  /** Time of the catch as recorded. */
  caught: string | null
  kind: SpoilageKind
  shelfLife: ShelfLife | undefined
  timeZone: string
}): TimeLeft {
  const { readings, kind, shelfLife, timeZone } = of
  const caughtAt = of.caught === null ? undefined : instantOf(of.caught, timeZone)
  const since = inTimeOrder(readings, timeZone).filter(({ at }) => at >= (caughtAt ?? Infinity))
  return timeLeftAfter({
    kind,
    shelfLife,
    hasCatchTime: caughtAt !== undefined,
    used: caughtAt === undefined ? null : daysUsed(readings, caughtAt, kind, timeZone),
    lastReadingAt: since.at(-1)?.at,
    isSuperchilled: since.some(({ temperature }) => temperature < SUPERCHILLED_BELOW),
  })
}

/** `timeLeft` of what readings since the catch add up to. */
export function timeLeftAfter(of: {
  kind: SpoilageKind
  shelfLife: ShelfLife | undefined
  hasCatchTime: boolean
  /** Null without a reading since the catch. */
  used: DaysUsed | null
  /** Milliseconds since 1970. */
  lastReadingAt: number | undefined
  isSuperchilled: boolean
}): TimeLeft {
  const unknown = (why: NoTimeLeft): TimeLeft => ({ known: false, why, words: noTimeLeftMessages[why] })
  const { kind, shelfLife, used, lastReadingAt } = of
  if (shelfLife === undefined) return unknown('no-shelf-life')
  if (!of.hasCatchTime) return unknown('no-catch-time')
  if (used === null || lastReadingAt === undefined) return unknown('no-readings')
  if (of.isSuperchilled) return unknown('superchilled')
  return { known: true, shelfLife, used, kind, lastReadingAt }
}
