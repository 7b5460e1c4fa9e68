/* How long the shop stores who ordered. Free of the schema library, so that pages may say it. */

/**
 * Days that the contact of a guest stays after the order has ended: as long as frozen fish of it may still be eaten and
 * recalled, and longer than the three months for which the proof of origin is kept. Contacts of accounts go with them.
 */
export const GUEST_CONTACT_DAYS = 365

/** From this total on a tax invoice names the buyer, in cents. Source: orders.md 'Tax invoice'. */
export const BUYER_NAMED_CENTS = 100_000

/** Days for which invoices that name the buyer are kept whole: five years, as the Tax Office asks. */
export const NAMED_INVOICE_DAYS = 5 * 366
