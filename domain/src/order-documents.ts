import { apportion } from './coupon.ts'
import { addCents, type Cents, gstIncluded, NO_MONEY } from './money.ts'
import { type CartTotals, type LineTotals, sumTotals } from './order-totals.ts'

const DIGITS = 6

/** The number of an order as people read it: `BF-2026-000123`. Beyond a million a year it grows a digit. */
export const orderNumber = (year: number, count: number): string =>
  `BF-${year}-${String(count).padStart(DIGITS, '0')}`

/** The number of a tax invoice: `INV-2026-000123`. */
export const invoiceNumber = (year: number, count: number): string =>
  `INV-${year}-${String(count).padStart(DIGITS, '0')}`

const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Is this an Australian Business Number: 11 digits, spaces between allowed, with right check digits? Source: ABR. */
export function isAbn(text: string): boolean {
  const digits = text.replaceAll(' ', '')
  if (!/^[1-9]\d{10}$/.test(digits)) return false
  const sum = WEIGHTS.reduce((all, weight, i) => all + weight * (Number(digits[i]) - (i === 0 ? 1 : 0)), 0)
  return sum % 89 === 0
}

/** As it is written: '51 824 753 556'. */
export const abnText = (abn: string): string =>
  abn.replaceAll(' ', '').replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')

/** Sums of an invoice. `taxable` and `free` add up to the total: what includes GST, and what is free of it. */
export type InvoiceTotals = CartTotals & { taxable: Cents; free: Cents }

/**
 * Sums of invoice lines, in which each line has been rounded already. Fish for eating is free of GST, other goods
 * and delivery include it, so most invoices are mixed. `coupon`: what a coupon takes off all of them, where there is one.
 * Source: orders.md 'Tax invoice'.
 */
export function invoiceTotals(
  lines: readonly (LineTotals & { includeGST: boolean })[],
  delivery: Cents = NO_MONEY,
): InvoiceTotals {
  const of = (includeGST: boolean): Cents =>
    addCents(lines.filter((line) => line.includeGST === includeGST).map(({ total }) => total))
  const taxable = addCents([of(true), delivery])
  const sums = sumTotals(lines, delivery)
  const coupon = addCents(lines.map((line) => line.coupon ?? NO_MONEY))
  return {
    ...sums,
    ...(coupon > 0 && { coupon }),
    taxable,
    free: of(false),
  }
}

/** GST in an amount that is given back of what came to so much: one eleventh of the share that includes GST. */
export function gstGivenBack(
  amount: Cents,
  { taxable, free }: Pick<InvoiceTotals, 'taxable' | 'free'>,
): Cents {
  const [share = NO_MONEY] = apportion(amount, [taxable, free])
  return gstIncluded(share)
}

/**
 * What a menu has to say of seafood's origin: Australian, imported or mixed; null: it is not stated.
 * Source: orders.md 'What must stand beside the fish'.
 * @param origin countries with commas between, as an order's line has them
 */
export function menuOrigin(origin: string | null): 'A' | 'I' | 'M' | null {
  const countries = (origin ?? '').split(',').flatMap((country) => country.trim().toLowerCase() || [])
  if (countries.length === 0) return null
  const local = countries.filter((country) => country === 'australia').length
  return local === countries.length ? 'A' : local === 0 ? 'I' : 'M'
}

/**
 * Days that the contact of a guest stays after the order has ended: as long as frozen fish of it may still be eaten and
 * recalled, and longer than the three months for which the proof of origin is kept. Contacts of accounts go with them.
 */
export const GUEST_CONTACT_DAYS = 365

/** From this total on a tax invoice names the buyer, in cents. Source: orders.md 'Tax invoice'. */
export const BUYER_NAMED_CENTS = 100_000

/** Days for which invoices that name the buyer are kept whole: five years, as the Tax Office asks. */
export const NAMED_INVOICE_DAYS = 5 * 366
