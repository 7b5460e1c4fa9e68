import { type UsedCoupon, withCoupon } from '@befaqt/domain/coupon'
import { addCents, type Cents, cents } from '@befaqt/domain/money'
import { type InvoiceTotals, invoiceTotals } from '@befaqt/domain/order-documents'
import { type DeliveryTerms, deliveryFee, orderLineTotals } from '@befaqt/domain/order-totals'
import { plus } from '@befaqt/domain/quantity'
import type { PreparedKind } from '@befaqt/domain/statuses'
import type { orderLines, orders } from '#server/db/schema/orders.ts'

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

/** Lines as a cart keeps them: what isn't prepared as it was chosen is whole like another line, and rounded once with it. */
export function inOneLine<
  Line extends Pick<PricedLine, 'productId' | 'quantity'> & {
    preparation?: { kind: PreparedKind } | null | undefined
  },
>(lines: readonly Line[]): Line[] {
  const kept = new Map<string, Line>()
  for (const line of lines) {
    const key = `${line.preparation?.kind} ${line.productId}`
    kept.set(key, { ...line, quantity: plus(kept.get(key)?.quantity ?? 0, line.quantity) })
  }
  return [...kept.values()]
}

/** What was ordered, after discounts and before a coupon: what fee and minimum of a delivery are about. */
export const goodsOf = (lines: readonly PricedLine[]): Cents =>
  addCents(lines.map((line) => chargedLine(line).ordered))

/** What an order's delivery costs, and by which terms: they stay, whatever becomes of the areas. */
export type AgreedDelivery = Pick<typeof orders.$inferSelect, 'delivery' | 'deliveryCents'>

/** The delivery of these lines by some terms. */
export const deliveryBy = (delivery: DeliveryTerms | null, lines: readonly PricedLine[]): AgreedDelivery => ({
  delivery,
  deliveryCents: deliveryFee(delivery, goodsOf(lines)),
})

/** Sums of an order: of what was weighed where it was, else of what was ordered. */
export const totalsOfOrder = (
  lines: readonly PricedLine[],
  { deliveryCents, coupon }: { deliveryCents: number; coupon: UsedCoupon | null },
): InvoiceTotals => invoiceTotals(chargedLines(lines, coupon), cents(deliveryCents))
