import { daysBetween } from '@befaqt/domain/durations'
import type { AsOf, FreshnessFacts } from '@befaqt/domain/freshness-word'
import { useSyncExternalStore } from 'react'
import { useSite } from '#web/root-data.ts'

/** A tab that comes back to the front may do so on another day. */
function watchReturn(then: () => void): () => void {
  addEventListener('focus', then)
  return () => removeEventListener('focus', then)
}

/** Today's date in market time, `YYYY-MM-DD`: the server's when the page was made, then by the visitor's clock. */
export function useToday(): string {
  const { today = '', market } = useSite() ?? {}
  return useSyncExternalStore(
    watchReturn,
    // Swedish dates are written like this. domain/market-time is 1 KB more on pages that show no other time.
    () => new Date().toLocaleDateString('sv-SE', { timeZone: market?.timeZone }),
    () => today,
  )
}

type Warm = Pick<FreshnessFacts, 'warm'> | null

/**
 * The moment as of which boxes are shown: today, and of the moments from which on the state of one of them is unknown the
 * last that is over. So what is drawn of them is drawn anew when one of them changes, not each minute.
 */
export function useAsOf(boxes: readonly Warm[]): AsOf {
  const madeAt = useSite()?.asOf ?? ''
  const lastUnknown = (now: number): number =>
    boxes.reduce((last, box) => {
      const from = box?.warm ? Date.parse(box.warm.unknownFrom) : 0
      return from <= now ? Math.max(last, from) : last
    }, 0)
  const at = useSyncExternalStore(
    watchMinutes,
    () => lastUnknown(Date.now()),
    () => lastUnknown(Date.parse(madeAt)),
  )
  return { at, today: useToday() }
}

const MINUTE_MS = 60_000

const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/** Calls `then` at least once a minute. */
function watchMinutes(then: () => void): () => void {
  const timer = setInterval(then, MINUTE_MS / 4)
  return () => clearInterval(timer)
}

/** Milliseconds since 1970, from when the page was made on by the visitor's clock, to the minute. @param madeAt RFC 3339 */
export const useNow = (madeAt: string): number =>
  useSyncExternalStore(watchMinutes, currentMinute, () => Date.parse(madeAt))

/** How far a day is away: 'today', 'tomorrow', 'in 4 days', '3 days ago'. Both `YYYY-MM-DD`. */
export function daysAway(today: string, date: string): string {
  const days = daysBetween(today, date)
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days > 0 ? 'tomorrow' : 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}
