import { COLD_LIMIT, inTimeOrder, intervals, isSilence, type Reading, usualInterval } from './cold-chain.ts'
import { DAY_MS } from './durations.ts'
import { instantOf } from './market-time.ts'
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

/** Days at 0 °C that a history has used, with range; `high` assumes that silences were warm. */
export type DaysUsed = { days: number; low: number; high: number }

/** What the first reading is worth at its worst: from the catch until then nobody measured. Source: freshness.md §2. */
export const warmestUnmeasured = (first: number): number => Math.max(first, COLD_LIMIT)

/**
 * Days used from the catch to the last reading: the rate between two readings is their mean; before the first
 * reading its temperature counts; readings before the catch don't. The upper edge takes the warmer neighbour's
 * temperature in silences, and before the first reading 5 °C where that was colder. Null without a reading. Source:
 * freshness.md §2.
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
  const before = (first.at - caughtAt) / DAY_MS
  let days = rateOfSpoilage(kind, first.temperature) * before
  let worst = rateOfSpoilage(kind, warmestUnmeasured(first.temperature)) * before
  for (const interval of intervals(ordered)) {
    const rates = [interval.from, interval.to].map(({ temperature }) => rateOfSpoilage(kind, temperature))
    const [a = 0, b = 0] = rates
    const span = interval.ms / DAY_MS
    days += ((a + b) / 2) * span
    worst += (isSilence(interval, usual) ? Math.max(a, b) : (a + b) / 2) * span
  }
  return withRange(days, worst)
}

/** Days used with their range. @param worst the days with what was not measured at its warmest */
export const withRange = (days: number, worst: number): DaysUsed => ({
  days,
  low: days * (1 - UNCERTAINTY),
  high: worst * (1 + UNCERTAINTY),
})

/** A temperature in °C that was measured, and when, in milliseconds since 1970. */
export type Measured = { at: number; temperature: number }

/** What a box is taken to lie at from a moment on, in °C. */
export type Held = { temperature: number; from: number }

/**
 * What a box is taken to lie at since its last reading: at that temperature, never below ice; from a hand-over on at
 * what its probe showed. Source: freshness.md §2, 'What is held since the last reading'.
 * @param probes of hand-overs, in any order
 */
export function heldSince(last: Measured, probes: readonly Measured[]): [Held, ...Held[]] {
  const later = probes.filter(({ at }) => at > last.at).sort((a, b) => a.at - b.at)
  const held = ({ at, temperature }: Measured): Held => ({
    temperature: Math.max(HOLDING_TEMPERATURES[0], temperature),
    from: at,
  })
  return [held(last), ...later.map(held)]
}

/** The days used up to the last reading of a species' shelf life, and what the box is held at since. */
export type ShelfLifeUsed = {
  kind: SpoilageKind
  shelfLifeAt0: number
  used: DaysUsed
  held: readonly [Held, ...Held[]]
}

/** Days at 0 °C used as of `now`, with range. @param now milliseconds since 1970; before the last reading nothing is added */
export function daysUsedAt({ kind, used, held }: ShelfLifeUsed, now: number): DaysUsed {
  const since = held.reduce((sum, { temperature, from }, i) => {
    const until = Math.min(now, held[i + 1]?.from ?? Infinity)
    return sum + (rateOfSpoilage(kind, temperature) * Math.max(0, until - from)) / DAY_MS
  }, 0)
  const more = withRange(since, since)
  return { days: used.days + more.days, low: used.low + more.low, high: used.high + more.high }
}

/**
 * When so many days at 0 °C will have been used, held as it is: milliseconds since 1970. Of what was used before the
 * last reading, the moment that the rate since would have had it. Never before 1970: heat that no fish meets uses up
 * more days than a date can say.
 * @param edge which days count: the estimate, or an edge of its range
 */
export function whenUsed({ kind, used, held }: ShelfLifeUsed, days: number, edge: keyof DaysUsed): number {
  const factor = { days: 1, low: 1 - UNCERTAINTY, high: 1 + UNCERTAINTY }[edge]
  let left = (days - used[edge]) / factor
  let until = Number.NaN
  for (const [i, { temperature, from }] of held.entries()) {
    const rate = rateOfSpoilage(kind, temperature)
    until = from + (left / rate) * DAY_MS
    const next = held[i + 1]?.from ?? Infinity
    if (until <= next) break
    left -= (rate * (next - from)) / DAY_MS
  }
  return Math.max(0, until)
}

/** Until when a box is at its best, with range. Milliseconds since 1970. */
export type BestBy = { at: number; low: number; high: number }

/** When its days are used, held as it is since the last reading. It stays as it is while time goes by. */
export const bestBy = (shelf: ShelfLifeUsed): BestBy => ({
  at: whenUsed(shelf, shelf.shelfLifeAt0, 'days'),
  low: whenUsed(shelf, shelf.shelfLifeAt0, 'high'),
  high: whenUsed(shelf, shelf.shelfLifeAt0, 'low'),
})

/** Days left when held at a temperature, with range; never below 0. */
export type DaysLeft = { temperature: number; days: number; low: number; high: number }

/**
 * Days left as of `now` when held at `temperature` °C from then on: what is left at 0 °C ÷ the rate there. Source:
 * freshness.md §2.
 * @param now milliseconds since 1970
 */
export function daysLeft(shelf: ShelfLifeUsed, temperature: number, now: number): DaysLeft {
  const used = daysUsedAt(shelf, now)
  const rate = rateOfSpoilage(shelf.kind, temperature)
  const left = (days: number): number => Math.max(0, (shelf.shelfLifeAt0 - days) / rate)
  return { temperature, days: left(used.days), low: left(used.high), high: left(used.low) }
}

/** The better case: until when it is at its best when it is put on ice `now`. Milliseconds since 1970. */
export function bestByIfIced(shelf: ShelfLifeUsed, now: number): number {
  const from = Math.max(now, shelf.held[0].from)
  return from + daysLeft(shelf, HOLDING_TEMPERATURES[0], from).days * DAY_MS
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
