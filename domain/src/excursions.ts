import { COLD_LIMIT } from './cold-chain.ts'
import { MINUTE_MS } from './durations.ts'
import type { TimedReading } from './readings.ts'

/** Above `degrees` for `minutes` or longer is an excursion. */
export type WarmLimit = { degrees: number; minutes: number }

/** The shop's own, until a manager sets another. Source: freshness.md §3. */
export const DEFAULT_WARM_LIMIT: WarmLimit = { degrees: COLD_LIMIT, minutes: 30 }

/** What a box's readings so far leave open: a stretch above the limit. Times in milliseconds since 1970. */
export type Watch = {
  /** Time of the newest reading; null before the first. */
  lastAt: number | null
  since: number | null
  peak: number | null
  peakAt: number | null
}

export const NOTHING_WATCHED: Watch = { lastAt: null, since: null, peak: null, peakAt: null }

/** A stretch above the limit that lasted long enough; `until` is null while it goes on. */
export type WarmStretch = { since: number; until: number | null; peak: number; peakAt: number }

type WarmReading = Pick<TimedReading, 'at' | 'temperature'>

/**
 * Follows readings in time order. A stretch begins with the first reading above the limit and ends with the first that
 * is not; one that is shorter than the limit's minutes says nothing.
 * @returns the stretches of these readings, the one that was open before included, and what is open now
 */
export function followReadings(
  before: Watch,
  readings: readonly WarmReading[],
  limit: WarmLimit,
): { watch: Watch; stretches: WarmStretch[] } {
  let watch = before
  const stretches: WarmStretch[] = []
  for (const { at, temperature } of readings) {
    if (temperature <= limit.degrees) {
      const ended = stretchOf(watch, at, limit, at)
      if (ended) stretches.push(ended)
      watch = { lastAt: at, since: null, peak: null, peakAt: null }
    } else {
      const isPeak = watch.peak === null || temperature > watch.peak
      watch = {
        lastAt: at,
        since: watch.since ?? at,
        peak: isPeak ? temperature : watch.peak,
        peakAt: isPeak ? at : watch.peakAt,
      }
    }
  }
  const open = watch.lastAt === null ? undefined : stretchOf(watch, null, limit, watch.lastAt)
  if (open) stretches.push(open)
  return { watch, stretches }
}

function stretchOf(
  { since, peak, peakAt }: Watch,
  until: number | null,
  { minutes }: WarmLimit,
  at: number,
): WarmStretch | undefined {
  if (since === null || peak === null || peakAt === null || at - since < minutes * MINUTE_MS) return undefined
  return { since, until, peak, peakAt }
}
