import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/** Calls `then` at least once a minute. */
export function watchMinutes(then: () => void): () => void {
  const timer = setInterval(then, MINUTE_MS / 4)
  return () => clearInterval(timer)
}

/** Milliseconds since 1970, from when the page was made on by the visitor's clock, to the minute. @param madeAt RFC 3339 */
export const useNow = (madeAt: string): number =>
  useSyncExternalStore(watchMinutes, currentMinute, () => Date.parse(madeAt))
