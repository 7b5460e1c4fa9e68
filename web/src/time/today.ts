import type { AsOf, FreshnessFacts } from '@befaqt/domain/freshness-word'
import { useSyncExternalStore } from 'react'
import { useSite } from '#web/root-data.ts'
import { watchMinutes } from './now.ts'

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
