import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { moment, plainText } from './columns.ts'

/**
 * Codes that take something off an order. How often one is used is counted in `orders` and `waiting_orders`, while its
 * row is locked. Money in whole cents.
 */
export const coupons = pgTable(
  'coupons',
  {
    id: text().primaryKey(),
    /** In capitals. */
    code: plainText().notNull().unique(),
    /** Either this or `amountCents`. */
    percent: integer(),
    amountCents: bigint({ mode: 'number' }),
    /** Ids of what it is for; both null: everything. */
    products: jsonb().$type<string[]>(),
    categories: jsonb().$type<string[]>(),
    minimumCents: bigint({ mode: 'number' }).notNull(),
    firstOrder: boolean().notNull(),
    startsAt: timestamp({ withTimezone: true }),
    /** It can't be used from then on. */
    endsAt: timestamp({ withTimezone: true }),
    /** How often, in all and by one customer; null: as often as one likes. */
    uses: integer(),
    usesEach: integer(),
    /** When somebody ended it. */
    endedAt: timestamp({ withTimezone: true }),
    version: integer().notNull().default(1),
    createdAt: moment(),
  },
  (t) => [index().on(t.createdAt, t.id)],
)
