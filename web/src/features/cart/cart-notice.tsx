import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { CartChanges } from './cart-changes.tsx'
import { cart } from './cart-store.ts'

/** What changed in the cart, over the page. */
export default function CartNotice() {
  return (
    <div className="fixed right-4 bottom-4 left-4 z-40 sm:left-auto sm:w-96">
      <Alert tone="warn" onDismiss={cart.dismiss} className="shadow-lg">
        <CartChanges />
        <Link to="/cart" className="mt-1 inline-flex min-h-11 items-center font-semibold underline">
          See your cart
        </Link>
      </Alert>
    </div>
  )
}
