const DIGITS = 6

/** The number of an order as people read it: `BF-2026-000123`. Beyond a million a year it grows a digit. */
export const orderNumber = (year: number, count: number): string =>
  `BF-${year}-${String(count).padStart(DIGITS, '0')}`

/** The number of a tax invoice: `INV-2026-000123`. */
export const invoiceNumber = (year: number, count: number): string =>
  `INV-${year}-${String(count).padStart(DIGITS, '0')}`
