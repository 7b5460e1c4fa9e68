import { instantOf } from './market-time.ts'

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
