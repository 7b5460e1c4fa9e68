import type { Cart } from '@befaqt/domain/cart'
import { NO_MONEY } from '@befaqt/domain/money'
import { cartTotals } from '@befaqt/domain/order-totals'
import { SumRow } from './sum-row.tsx'

/** The sums of the cart to the cent. Source: spec §9. */
export function CartTotals({ lines }: { lines: Cart }) {
  const { subtotal, savings, gst, delivery, total } = cartTotals(lines)
  return (
    <dl>
      <SumRow name="Subtotal" amount={subtotal} />
      {savings > NO_MONEY && <SumRow name="Total Savings" amount={savings} className="text-good" />}
      <SumRow name="Delivery" amount={delivery} />
      <SumRow name="Total" amount={total} className="mt-2 border-line border-t pt-3 font-semibold text-xl" />
      <SumRow name="GST included" amount={gst} className="muted" />
    </dl>
  )
}
