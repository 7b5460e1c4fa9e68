import { MINUTE_MS } from './durations.ts'
import { instantOf } from './market-time.ts'
import { inTimeOrder, intervals, type Reading, usualInterval } from './readings.ts'

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
