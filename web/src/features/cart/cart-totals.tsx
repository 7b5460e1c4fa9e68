import type { Cart } from '@befaqt/domain/cart'
import { cartTotals } from '@befaqt/domain/cart-totals'
import { type Cents, formatDollars, NO_MONEY } from '@befaqt/domain/money'
import type { ReactNode } from 'react'

const Row = ({ name, amount, className = '' }: { name: ReactNode; amount: Cents; className?: string }) => (
  <div className={`flex justify-between gap-4 py-1.5 ${className}`}>
    <dt>{name}</dt>
    <dd>{formatDollars(amount)}</dd>
  </div>
)

/** The sums of the cart to the cent. Source: spec §9. */
export function CartTotals({ lines }: { lines: Cart }) {
  const { subtotal, savings, gst, delivery, total } = cartTotals(lines)
  return (
    <dl>
      <Row name="Subtotal" amount={subtotal} />
      {savings > NO_MONEY && <Row name="Total Savings" amount={savings} className="text-good" />}
      <Row name="Delivery" amount={delivery} />
      <Row name="Total" amount={total} className="mt-2 border-line border-t pt-3 font-semibold text-xl" />
      <Row name="GST included" amount={gst} className="text-slate text-sm" />
    </dl>
  )
}
