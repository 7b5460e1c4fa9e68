import type { OrderView } from '@befaqt/domain/api/order-api'
import { buyAgain, notAgainText } from '@befaqt/domain/buy-again'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { cart } from '#web/features/cart/cart-store.ts'
import { onSaleNow } from '#web/features/cart/check-cart.ts'

/** `missed`: what there is less of or none, in words. */
export type Outcome = { missed: readonly string[] } | { failure: string }

/** What is in the cart now of what was to be bought again. */
export default function BuyAgainOutcome({ outcome }: { outcome: Outcome }) {
  if ('failure' in outcome) return <Alert tone="bad">Error: {outcome.failure}</Alert>
  const { missed } = outcome
  return (
    <Alert tone={missed.length > 0 ? 'warn' : 'good'}>
      <p>{missed.length > 0 ? 'In your cart is what we have of it:' : 'All of it is in your cart.'}</p>
      <ul>
        {missed.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Link to="/cart" className="tap font-semibold underline">
        Go to Cart
      </Link>
    </Alert>
  )
}

/** Puts the lines of an order into the cart, as far as they are on sale. Returns what there is not, in words. */
export async function fillCart(lines: OrderView['lines']): Promise<string[]> {
  const onSale = await onSaleNow(lines.map(({ product_id }) => product_id))
  let missed: string[] = []
  cart.change((now) => {
    const again = buyAgain(now, lines, onSale)
    missed = again.missed.map(notAgainText)
    return again.cart
  })
  return missed
}
