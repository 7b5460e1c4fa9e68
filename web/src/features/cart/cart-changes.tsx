import { cartChangeText } from '@befaqt/domain/cart-reconcile'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { cart, useCart } from './cart-store.ts'

/** What changed in the cart, over the page. */
export default function CartNotice() {
  return (
    <div className="fixed right-4 bottom-4 left-4 z-40 sm:left-auto sm:w-96">
      <Alert tone="warn" onDismiss={cart.dismiss} className="shadow-float">
        <CartChanges />
        <Link to="/cart" className="mt-1 tap font-semibold underline">
          See your cart
        </Link>
      </Alert>
    </div>
  )
}

/** What changed in the cart, in words, one by one. */
export function CartChanges() {
  const { changes, corrupted } = useCart()
  return (
    <ul className="grid gap-1 wrap-anywhere">
      {corrupted === 'whole' && <li>Your saved cart could not be read, so you start with an empty one.</li>}
      {corrupted === 'part' && <li>Part of your saved cart could not be read. The rest is here.</li>}
      {changes.map(cartChangeText).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
