import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'react-router'
import { CART_KEY, cart, useCart } from './cart-store.ts'

/** Fetched only when there is something to tell. */
const CartNotice = lazy(() => import('./cart-changes.tsx'))

/** Pages that compare the cart and show the changes themselves. */
const CART_PAGES = ['/cart', '/checkout']

/** Compares a filled cart with what is on sale. */
async function compare(): Promise<void> {
  if (CART_PAGES.includes(window.location.pathname) || cart.get().lines.length === 0) return
  const { checkCart } = await import('./check-cart.ts')
  await checkCart()
}

/** Reads the cart at the start and follows other tabs. */
function useCartSync(): void {
  useEffect(() => {
    cart.load()
    void compare()
    const follow = ({ key }: StorageEvent) => {
      if (key === CART_KEY || key === null) cart.load()
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
}

/** Keeps the cart up to date on every page, and shows what changed in it while the shopper was away. */
export function CartSync() {
  useCartSync()
  const { changes, corrupted } = useCart()
  const { pathname } = useLocation()
  if (CART_PAGES.includes(pathname) || (changes.length === 0 && corrupted === null)) return null
  return (
    <Suspense>
      <CartNotice />
    </Suspense>
  )
}
