import { type CartTotals, type LineTotals, sumTotals } from './cart-totals.ts'
import { addCents, type Cents, gstIncluded, NO_MONEY } from './money.ts'

/** Sums of an invoice. `taxable` and `free` add up to the total: what includes GST, and what is free of it. */
export type InvoiceTotals = CartTotals & { taxable: Cents; free: Cents }

/**
 * Sums of invoice lines, in which each line has been rounded already. Fish for eating is free of GST, other goods
 * and delivery include it, so most invoices are mixed. Source: orders.md 'Tax invoice'.
 */
export function invoiceTotals(
  lines: readonly (LineTotals & { includeGST: boolean })[],
  delivery: Cents = NO_MONEY,
): InvoiceTotals {
  const of = (includeGST: boolean): Cents =>
    addCents(lines.filter((line) => line.includeGST === includeGST).map(({ total }) => total))
  const taxable = addCents([of(true), delivery])
  const sums = sumTotals(lines, delivery)
  return { ...sums, gst: addCents([sums.gst, gstIncluded(delivery)]), taxable, free: of(false) }
}
