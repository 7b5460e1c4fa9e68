import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { plainText } from './columns.ts'

/** What is added up. Money in whole cents. */
const measures = () => ({
  orders: integer().notNull(),
  grams: bigint({ mode: 'number' }).notNull(),
  /** Of what is counted; a dozen is twelve. */
  pieces: bigint({ mode: 'number' }).notNull(),
  /** What is charged: after discounts and coupons. */
  revenue: bigint({ mode: 'number' }).notNull(),
  /** GST in it; of a whole order without that of what was given back since. */
  gst: bigint({ mode: 'number' }).notNull(),
  /** What discounts took off. */
  discounts: bigint({ mode: 'number' }).notNull(),
  coupons: bigint({ mode: 'number' }).notNull(),
  /** What was given back since. */
  refunds: bigint({ mode: 'number' }).notNull(),
})

/**
 * What each order is in `sales_sums`, so that it can be taken out again: the order at place 0, and its lines. Cancelled
 * orders have none. No foreign keys: it is a projection, and follows. Source: docs/decisions/0105-reports.md.
 */
export const salesParts = pgTable(
  'sales_parts',
  {
    orderId: text().notNull(),
    position: integer().notNull(),
    /** Of the slot, in the market's time zone. */
    day: plainText().notNull(),
    /** Of a line. */
    productId: text(),
    /** Of the order: the account's id, 'guest' or 'erased'. */
    customer: text(),
    /** Of the order: kind, weekday and time, like 'pickup 5 07:00'. */
    slot: text(),
    /** Of the order: the code of a coupon that takes something off. */
    coupon: text(),
    ...measures(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.position] })],
)

/** What sums are of: all orders, all lines, or those of a product, customer, slot or coupon. */
export const salesOf = ['all', 'lines', 'product', 'customer', 'slot', 'coupon'] as const

/** Sales added up by day, month and year, so that a range is a few of these whatever its length. */
export const salesSums = pgTable(
  'sales_sums',
  {
    what: text({ enum: salesOf }).notNull(),
    /** '2026', '2026-11' or '2026-11-27'; '': ever. */
    period: plainText().notNull(),
    key: plainText().notNull(),
    ...measures(),
  },
  (t) => [
    primaryKey({ columns: [t.what, t.period, t.key] }),
    /** When somebody bought, and who bought the most. */
    index('sales_sums_customer_index').on(t.key, t.period).where(sql`${t.what} = 'customer'`),
    index('sales_sums_customers_index')
      .on(t.revenue, t.key)
      .where(sql`${t.what} = 'customer' and ${t.period} = ''`),
    /** Which keys have the most revenue in some periods, without reading their rows. */
    index('sales_sums_revenue_index').on(t.what, t.period, t.key, t.revenue, t.refunds),
    /** What has no order left, to be deleted. */
    index('sales_sums_empty_index').on(t.what).where(sql`${t.orders} = 0`),
  ],
)

/** What became of what each box held: of what is weighed in grams, of what is counted in pieces. A projection, too. */
export const boxSums = pgTable(
  'box_sums',
  {
    boxId: text().notNull(),
    measure: text({ enum: ['grams', 'pieces'] }).notNull(),
    /** On which it was registered, in the market's time zone. */
    day: plainText().notNull(),
    bought: bigint({ mode: 'number' }).notNull(),
    sold: bigint({ mode: 'number' }).notNull(),
    lost: bigint({ mode: 'number' }).notNull(),
    /** Of what was sold, by how fresh it was said to be when it was packed; the rest was not said. */
    excellent: bigint({ mode: 'number' }).notNull(),
    good: bigint({ mode: 'number' }).notNull(),
    useSoon: bigint({ mode: 'number' }).notNull(),
    over: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.boxId, t.measure] }), index().on(t.day)],
)
