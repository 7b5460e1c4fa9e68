import type { CartLine } from './cart.ts'
import { addCents, type Cents, discounted, gstIncluded, NO_MONEY } from './money.ts'

type Priced = Pick<CartLine, 'priceCents' | 'discount' | 'quantity' | 'includeGST'>

export type LineTotals = { subtotal: Cents; savings: Cents; gst: Cents; total: Cents }
export type CartTotals = LineTotals & { delivery: Cents }

/**
 * Sums of one line. `subtotal` is price × quantity before discount; `total` is after it and rounds half up
 * once; `savings` is the difference; `gst` is one eleventh of `total` where the product includes GST. Source: spec §9.
 */
export function lineTotals(line: Priced): LineTotals {
  const subtotal = (line.priceCents * line.quantity) as Cents
  const total = discounted(subtotal, line.discount)
  return {
    subtotal,
    savings: (subtotal - total) as Cents,
    gst: line.includeGST ? gstIncluded(total) : NO_MONEY,
    total,
  }
}

/** Sums of the cart: the rounded lines added, `total` with delivery. The delivery fee is 0. Source: spec §9. */
export function cartTotals(lines: readonly Priced[], delivery: Cents = NO_MONEY): CartTotals {
  const each = lines.map(lineTotals)
  const sum = (name: keyof LineTotals): Cents => addCents(each.map((line) => line[name]))
  return {
    subtotal: sum('subtotal'),
    savings: sum('savings'),
    gst: sum('gst'),
    delivery,
    total: addCents([sum('total'), delivery]),
  }
}
