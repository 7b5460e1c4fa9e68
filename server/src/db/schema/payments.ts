import { paymentStates } from '@befaqt/domain/payment'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Payments of orders by card. An order whose authorization was lost may have another one. Money in whole cents. */
export const payments = pgTable(
  'payments',
  {
    /** UUID. The provider's objects carry it, and idempotency keys of requests are made from it. */
    id: text().primaryKey(),
    /** Of the order, or of the waiting one that becomes it. */
    orderId: text().notNull(),
    state: text({ enum: paymentStates }).notNull(),
    /** What is authorized, or to be. */
    amountCents: bigint({ mode: 'number' }).notNull(),
    capturedCents: bigint({ mode: 'number' }).notNull().default(0),
    refundedCents: bigint({ mode: 'number' }).notNull().default(0),
    /** The provider's page for paying, and where it is; null: not opened yet. */
    session: text(),
    url: text(),
    /** The provider's id of what was paid; null: not paid yet. */
    reference: text(),
    /** OPEN: it can be paid until then; AUTHORIZED: it can be captured until then. */
    endsAt: timestamp({ withTimezone: true }).notNull(),
    /**
     * How often the provider answered a step with an error. It is a part of idempotency keys: the provider repeats an
     * error for the key that had it.
     */
    attempt: integer().notNull().default(0),
    /** Why the provider's last step failed, for managers; null: nothing is wrong. */
    problem: text(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  (t) => [
    index().on(t.orderId, t.createdAt),
    index('payments_with_problem').on(t.orderId).where(sql`${t.problem} is not null`),
  ],
)

/** Messages of the provider that were taken: each once. */
export const paymentEvents = pgTable(
  'payment_events',
  { id: text().primaryKey(), receivedAt: moment() },
  (t) => [index().on(t.receivedAt)],
)
