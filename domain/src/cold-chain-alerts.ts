import { kilometres } from './distance.ts'
import { durationText } from './duration-text.ts'
import { HOUR_MS, MINUTE_MS } from './durations.ts'
import {
  type Interval,
  inTimeOrder,
  intervals,
  isSilence,
  type Reading,
  type TimedReading,
  usualInterval,
} from './readings.ts'

/** Limits of freshness.md §3. */
export const JUMP_DEGREES = 8
export const FASTEST_KMH = 130

export const alertKinds = ['silent', 'jump', 'too-fast', 'clock-ahead'] as const
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

/** The note below every list of alerts. */
export const ALERT_NOTE = 'Alerts prompt a check. They are not a food-safety ruling.'

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
