import type { CartLine } from './cart.ts'
import { addCents, type Cents, discounted, gstIncluded, NO_MONEY, priceOf } from './money.ts'

/** What a line's sums are made of. */
export type Priced = Pick<CartLine, 'priceCents' | 'discount' | 'quantity' | 'includeGST'>

export type LineTotals = { subtotal: Cents; savings: Cents; gst: Cents; total: Cents }
export type CartTotals = LineTotals & { delivery: Cents }

/**
 * Sums of one line. `subtotal` is price × quantity before discount; `total` is after it and rounds half up
 * once; `savings` is the difference; `gst` is one eleventh of `total` where the product includes GST. Source: spec §9.
 */
export const lineTotals = (line: Priced): LineTotals =>
  totalsOf(priceOf(line.priceCents, line.quantity), line)

/** Sums of a line whose price before discount is `subtotal`. */
export function totalsOf(
  subtotal: Cents,
  { discount, includeGST }: Pick<Priced, 'discount' | 'includeGST'>,
): LineTotals {
  const total = discounted(subtotal, discount)
  return {
    subtotal,
    savings: (subtotal - total) as Cents,
    gst: includeGST ? gstIncluded(total) : NO_MONEY,
    total,
  }
}

/** Sums of the cart: the rounded lines added, `total` with delivery. The delivery fee is 0. Source: spec §9. */
export const cartTotals = (lines: readonly Priced[], delivery: Cents = NO_MONEY): CartTotals =>
  sumTotals(lines.map(lineTotals), delivery)

/** Sums of lines that are rounded already. */
export function sumTotals(each: readonly LineTotals[], delivery: Cents = NO_MONEY): CartTotals {
  const sum = (name: keyof LineTotals): Cents => addCents(each.map((line) => line[name]))
  return {
    subtotal: sum('subtotal'),
    savings: sum('savings'),
    gst: sum('gst'),
    delivery,
    total: addCents([sum('total'), delivery]),
  }
}
