import type { Cart } from '@befaqt/domain/cart'
import { addCents, type Cents, gstIncluded, NO_MONEY } from '@befaqt/domain/money'
import { cartTotals } from '@befaqt/domain/order-totals'
import { SumRow } from './sum-row.tsx'

/** What a coupon makes of the sums. */
export type CouponSums = { code: string; off: number; total: number; gst: number }

type Props = { lines: Cart; coupon?: CouponSums | null; fee?: Cents }

/** The sums of the cart to the cent. Source: spec §9. @param fee of a delivery, of which a coupon takes nothing off */
export function CartTotals({ lines, coupon, fee = NO_MONEY }: Props) {
  const { subtotal, savings, delivery, ...sums } = cartTotals(lines, fee)
  const total = coupon ? addCents([coupon.total as Cents, fee]) : sums.total
  const gst = coupon ? addCents([coupon.gst as Cents, gstIncluded(fee)]) : sums.gst
  return (
    <dl>
      <SumRow name="Subtotal" amount={subtotal} />
      {savings > NO_MONEY && <SumRow name="Total Savings" amount={savings} className="text-good" />}
      {coupon && (
        <SumRow name={`Coupon ${coupon.code}`} amount={-coupon.off as Cents} className="text-good" />
      )}
      <SumRow name="Delivery" amount={delivery} />
      <SumRow name="Total" amount={total} className="mt-2 border-line border-t pt-3 font-semibold text-xl" />
      <SumRow name="GST included" amount={gst} className="muted" />
    </dl>
  )
}
