import { type Cart, type CartLine, lineKey } from '@befaqt/domain/cart'
import { unitsText, weightText } from '@befaqt/domain/labelling'
import { type Cents, discountLabel, formatDollars } from '@befaqt/domain/money'
import { lineTotals, mostCharged, orderedGrams, TOLERANCE_PERCENT } from '@befaqt/domain/order-totals'
import type { PaymentMethod } from '@befaqt/domain/payment'
import { preparedTitle } from '@befaqt/domain/preparation'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CartTotals, type CouponSums } from '#web/features/cart/cart-totals.tsx'
import type { Checked } from '#web/features/cart/check-cart.ts'
import { MayBeAnotherBox, useLineFreshness } from '#web/features/cart/line-freshness.tsx'

const isWeighed = ({ unit, quantity }: CartLine): boolean => orderedGrams(unit, quantity) !== null

function Line({ line, freshness }: { line: CartLine; freshness: ReactNode }) {
  const { priceCents, unit, quantity, discount } = line
  const grams = orderedGrams(unit, quantity)
  const off = discountLabel(discount)
  return (
    <li className="flex justify-between gap-4 border-line border-b py-3">
      <div className="min-w-0 wrap-anywhere">
        <span className="block font-semibold">{preparedTitle(line.title, line.preparation)}</span>
        <span className="block muted">
          {grams === null ? `${unitsText(quantity, unit)} at ` : `about ${weightText(grams)} at `}
          {formatDollars(priceCents)}/{unit}
          {off && `, ${off}`}
        </span>
        {freshness}
      </div>
      <span className="shrink-0 text-right">
        {grams !== null && <span className="block muted">about</span>}
        {formatDollars(lineTotals(line).total)}
      </span>
    </li>
  )
}

type Props = {
  lines: Cart
  payment: PaymentMethod
  coupon: CouponSums | null
  fee: Cents
  total: Cents
} & Pick<Checked, 'boxes'>

/** What is ordered and how fresh it is, with the cart's own sums, and what of it is estimated. */
export function ReviewPart({ lines, boxes, payment, coupon, fee, total }: Props) {
  const freshnessOf = useLineFreshness(boxes)
  const most = formatDollars(mostCharged(total, TOLERANCE_PERCENT))
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="review" className="text-2xl">
          Your order
        </h2>
        <Link to="/cart" className="link tap">
          Change it
        </Link>
      </div>
      <ul className="mb-4 border-line border-t">
        {lines.map((line) => (
          <Line key={lineKey(line)} line={line} freshness={freshnessOf(line)} />
        ))}
      </ul>
      {lines.some(freshnessOf) && <MayBeAnotherBox />}
      <CartTotals lines={lines} coupon={coupon} fee={fee} />
      {lines.some(isWeighed) && (
        <p className="mt-4 muted">
          The total is an estimate: what is sold by weight is weighed when we pack it, and its price follows
          the net weight. Above {most} we ask you first.
        </p>
      )}
      <p className="mt-2 muted">
        {payment === 'card'
          ? `Up to ${most} is held on your card now; the exact total is charged when it is packed.`
          : 'Nothing is charged now: you pay when you get it.'}
      </p>
    </>
  )
}
