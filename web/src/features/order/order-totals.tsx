import type { OrderView } from '@befaqt/domain/api/order-api'
import { cents, NO_MONEY } from '@befaqt/domain/money'
import { SumRow } from '#web/features/cart/sum-row.tsx'

/**
 * Sums of an order. What includes GST and what is free of it stand apart, and GST beside the first only.
 * Source: orders.md 'Tax invoice'.
 */
export function OrderTotals({ totals, agreed }: Pick<OrderView, 'totals' | 'agreed'>) {
  const { subtotal, savings, delivery, total, taxable, free, gst } = totals
  return (
    <dl>
      <SumRow name="Subtotal" amount={cents(subtotal)} />
      {savings > NO_MONEY && <SumRow name="Total Savings" amount={cents(savings)} className="text-good" />}
      <SumRow name="Delivery" amount={cents(delivery)} />
      <SumRow
        name="Total"
        amount={cents(total)}
        className="mt-2 border-line border-t pt-3 font-semibold text-xl"
      />
      {agreed !== total && (
        <SumRow name="You agreed to" amount={cents(agreed)} className="text-slate text-sm" />
      )}
      {free > NO_MONEY && <SumRow name="GST-free" amount={cents(free)} className="text-slate text-sm" />}
      {taxable > NO_MONEY && (
        <>
          <SumRow name="Including GST" amount={cents(taxable)} className="text-slate text-sm" />
          <SumRow name="GST included" amount={cents(gst)} className="text-slate text-sm" />
        </>
      )}
    </dl>
  )
}
