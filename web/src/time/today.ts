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
