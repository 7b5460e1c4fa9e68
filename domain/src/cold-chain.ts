import { durationText } from './duration-text.ts'
import { HOUR_MS, MINUTE_MS } from './durations.ts'
import { instantOf } from './market-time.ts'
import { kilometres } from './place.ts'

/** A reading of a Box, from which metrics are computed. */
export type Reading = { time: string; temperature: number; latitude: number; longitude: number }

/** A reading at an instant, milliseconds since 1970. */
export type TimedReading = Reading & { at: number }

/**
 * Readings in order of time. Two in the same second count once, as the warmer of the two; a reading with an invalid time
 * is left out. Source: freshness.md §1.
 */
export function inTimeOrder(readings: readonly Reading[], timeZone: string): TimedReading[] {
  const bySecond = new Map<number, TimedReading>()
  for (const reading of readings) {
    const at = instantOf(reading.time, timeZone)
    if (at === undefined) continue
    const second = Math.floor(at / 1000)
    const had = bySecond.get(second)
    if (had === undefined || reading.temperature > had.temperature) bySecond.set(second, { ...reading, at })
  }
  return [...bySecond.values()].sort((a, b) => a.at - b.at)
}

/** Two neighbours in time and the milliseconds between them. */
export type Interval<At = TimedReading> = { from: At; to: At; ms: number }

/** The intervals between neighbours, in order. */
export const intervals = <At extends { at: number }>(ordered: readonly At[]): Interval<At>[] =>
  ordered.flatMap((to, i) => {
    const from = ordered[i - 1]
    return from === undefined ? [] : [{ from, to, ms: to.at - from.at }]
  })

/** The median interval between readings in milliseconds; null for fewer than two readings. */
export function usualInterval(ordered: readonly { at: number }[]): number | null {
  const lengths = intervals(ordered)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return lengths[Math.floor((lengths.length - 1) / 2)] ?? null
}

/** Is an interval a silence: longer than twice the median? Source: freshness.md §2, §3. */
export const isSilence = (interval: { ms: number }, usual: number | null): boolean =>
  usual !== null && interval.ms > 2 * usual

/** Potentially hazardous food must be stored at or below this, in °C. Source: Food Standards Code 3.2.2. */
export const COLD_LIMIT = 5

export type ColdChain = {
  /** Cumulative minutes above the limit; each interval counts with the temperature at its end. */
  minutesAbove5: number
  /** Minutes from the catch to the first reading at or below it; null when there is none, or no catch. */
  minutesToCold: number | null
  /** Longest time between two readings; null for fewer than two. */
  longestSilenceMinutes: number | null
  /** The median time between two readings; null for fewer than two. */
  usualIntervalMinutes: number | null
  /** The highest temperature in °C, and when it was first measured, in RFC 3339. */
  highest: number
  highestAt: string
}

/** What is said first of a cold chain: it was warmed, the sensor was silent, or it stayed cold. */
export const coldChainMarks = ['cold', 'warmed', 'silent'] as const
export type ColdChainMark = (typeof coldChainMarks)[number]

/** Above the limit for any time is `warmed`; a silence, longer than twice the usual interval, leaves `cold` unknown. Source: freshness.md §3. */
export function coldChainMark(
  chain: Pick<ColdChain, 'highest' | 'longestSilenceMinutes' | 'usualIntervalMinutes'>,
): ColdChainMark {
  if (chain.highest > COLD_LIMIT) return 'warmed'
  const { longestSilenceMinutes: longest, usualIntervalMinutes: usual } = chain
  return longest !== null && usual !== null && longest > 2 * usual ? 'silent' : 'cold'
}

/** The metrics of the cold chain. Null without readings. Source: freshness.md §3. */
export function coldChain(
  readings: readonly Reading[],
  caught: string | null,
  timeZone: string,
): ColdChain | null {
  const ordered = inTimeOrder(readings, timeZone)
  if (ordered.length === 0) return null
  const all = intervals(ordered)
  const warm = all.filter(({ to }) => to.temperature > COLD_LIMIT)
  const caughtAt = caught === null ? undefined : instantOf(caught, timeZone)
  const cold = ordered.find(({ at, temperature }) => temperature <= COLD_LIMIT && at >= (caughtAt ?? 0))
  const usual = usualInterval(ordered)
  const warmest = ordered.reduce((most, one) => (one.temperature > most.temperature ? one : most))
  return {
    minutesAbove5: warm.reduce((sum, { ms }) => sum + ms, 0) / MINUTE_MS,
    minutesToCold: caughtAt === undefined || cold === undefined ? null : (cold.at - caughtAt) / MINUTE_MS,
    longestSilenceMinutes: all.length === 0 ? null : Math.max(...all.map(({ ms }) => ms)) / MINUTE_MS,
    usualIntervalMinutes: usual === null ? null : usual / MINUTE_MS,
    highest: warmest.temperature,
    highestAt: new Date(warmest.at).toISOString(),
  }
}

/** Limits of freshness.md §3. */
export const JUMP_DEGREES = 8
export const FASTEST_KMH = 130

const alertKinds = ['silent', 'jump', 'too-fast', 'clock-ahead'] as const
export type AlertKind = (typeof alertKinds)[number]

/**
 * Something for managers to check: never a verdict on food safety. Warmth is an excursion (excursions.ts). Source:
 * freshness.md §3.
 */
export type Alert = {
  kind: AlertKind
  /** When it was raised, in milliseconds since 1970. Identifies the alert, together with `kind`. */
  at: number
  words: string
}

/** Messages of alerts from readings. */
export const alertMessages = {
  silent: (ms: number) => `Gap of ${durationText(ms / MINUTE_MS)} in the readings.`,
  jump: (degrees: number) => `The temperature jumped by ${degrees.toFixed(1)} °C between two readings.`,
  tooFast: (kmh: number) => `The place moved at ${Math.round(kmh)} km/h, faster than any truck.`,
}

/**
 * Every alert that readings give, oldest first. `now` (milliseconds, the server's clock), where
 * given, finds clocks that run ahead and a sensor that is silent still. The same readings always give the same alerts.
 */
export function alertsOf(readings: readonly Reading[], timeZone: string, now?: number): Alert[] {
  const ordered = inTimeOrder(readings, timeZone)
  const all = intervals(ordered)
  const usual = usualInterval(ordered)
  const alerts = [
    ...silences(all, usual),
    ...jumps(all),
    ...leaps(ordered),
    ...(now === undefined ? [] : againstClock(ordered, usual, now)),
  ]
  return alerts.sort(oldestFirst)
}

/** The order of alerts: by time, then by kind. */
export const oldestFirst = (a: Alert, b: Alert): number => a.at - b.at || a.kind.localeCompare(b.kind)

const silences = (all: readonly Interval[], usual: number | null): Alert[] =>
  all
    .filter((interval) => isSilence(interval, usual))
    .map(({ to, ms }) => ({ kind: 'silent', at: to.at, words: alertMessages.silent(ms) }))

const jumps = (all: readonly Interval[]): Alert[] =>
  all
    .map(({ from, to }) => ({ at: to.at, degrees: Math.abs(to.temperature - from.temperature) }))
    .filter(({ degrees }) => degrees > JUMP_DEGREES)
    .map(({ at, degrees }) => ({ kind: 'jump', at, words: alertMessages.jump(degrees) }))

/** Missing positions (a zero) are skipped: the speed is between the positions before and after. */
function leaps(ordered: readonly TimedReading[]): Alert[] {
  const placed = ordered.filter(({ latitude, longitude }) => latitude !== 0 && longitude !== 0)
  return intervals(placed)
    .map(({ from, to, ms }) => ({ at: to.at, speed: kilometres(from, to) / (ms / HOUR_MS) }))
    .filter(({ speed }) => speed > FASTEST_KMH)
    .map(({ at, speed }) => ({ kind: 'too-fast', at, words: alertMessages.tooFast(speed) }))
}

function againstClock(ordered: readonly TimedReading[], usual: number | null, now: number): Alert[] {
  const ahead = ordered
    .filter(({ at }) => at > now)
    .map(
      ({ at }): Alert => ({ kind: 'clock-ahead', at, words: 'A reading is dated after the server’s clock.' }),
    )
  const last = ordered.at(-1)
  if (last === undefined || usual === null || now - last.at <= 2 * usual) return ahead
  const words = `No reading for ${durationText((now - last.at) / MINUTE_MS)}, and still none.`
  return [...ahead, { kind: 'silent', at: last.at + 2 * usual, words }]
}
