import { useEffect, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'
import type { Checked } from './check-cart.ts'

/** Before the first answer. */
const NOT_CHECKED: Checked = { failure: null, ownLimits: new Map(), boxes: new Map(), prepared: new Map() }

/** Fetched when there is a cart to compare: the page is shown without it. */
const checkCart = (isKept?: boolean): Promise<Checked> =>
  import('./check-cart.ts').then(
    (check) => check.checkCart(isKept),
    (error: unknown) => ({ ...NOT_CHECKED, failure: userMessage(error) }),
  )

/** While the page is open: what was so when it was opened may be so no more, as of a box that is recalled. */
const AGAIN_MS = 60_000

/** How long lines wait for what is said of their fish, so that they don't grow under a finger. */
const PATIENCE_MS = 500

/**
 * Reads the cart, compares it with what is on sale, and again each minute while the page is in sight.
 * @param isKept what is compared again leaves the cart as it is, since its shopper is about to order what was read
 * @returns beside what was found, whether lines should be shown by now
 */
export function useCheckedCart({ isKept }: { isKept: boolean }): Checked & { isSettled: boolean } {
  const [checked, setChecked] = useState(NOT_CHECKED)
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let isOver = false
    let last = Date.now()
    const show = (next: Checked) => {
      if (isOver) return
      setChecked(next)
      setSettled(true)
    }
    const again = () => {
      if (document.visibilityState === 'hidden' || Date.now() - last < AGAIN_MS) return
      last = Date.now()
      void checkCart(isKept).then(show)
    }
    cart.load()
    void checkCart().then(show)
    const patience = setTimeout(() => setSettled(true), PATIENCE_MS)
    const timer = setInterval(again, AGAIN_MS / 4)
    document.addEventListener('visibilitychange', again)
    return () => {
      isOver = true
      clearTimeout(patience)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }, [isKept])
  return { ...checked, isSettled }
}
