import { type UsedCoupon, withCoupon } from '@befaqt/domain/coupon'
import { cents } from '@befaqt/domain/money'
import { type InvoiceTotals, invoiceTotals } from '@befaqt/domain/order-documents'
import { orderLineTotals } from '@befaqt/domain/order-totals'
import type { orderLines } from '#server/db/schema/orders.ts'

export type PricedLine = Pick<
  typeof orderLines.$inferSelect,
  'productId' | 'priceCents' | 'discount' | 'unit' | 'includeGst' | 'quantity'
> & {
  finalGrams?: number | null
  leftOutReason?: string | null
}

const chargedLine = (line: PricedLine) => {
  const priced = { ...line, priceCents: cents(line.priceCents), includeGST: line.includeGst }
  const isLeftOut = line.leftOutReason != null
  const sums = isLeftOut
    ? orderLineTotals({ ...priced, quantity: 0 }, null)
    : orderLineTotals(priced, line.finalGrams ?? null)
  const ordered = orderLineTotals(priced, null).total
  return { productId: line.productId, includeGST: line.includeGst, ordered, ...sums }
}

/** What each line of an order comes to, without what its coupon takes off it. */
export const chargedLines = (lines: readonly PricedLine[], coupon: UsedCoupon | null) =>
  withCoupon(lines.map(chargedLine), coupon)

/** Sums of an order: of what was weighed where it was, else of what was ordered. */
export const totalsOfOrder = (
  lines: readonly PricedLine[],
  { deliveryCents, coupon }: { deliveryCents: number; coupon: UsedCoupon | null },
): InvoiceTotals => invoiceTotals(chargedLines(lines, coupon), cents(deliveryCents))
