import type { SlotView } from '@befaqt/domain/api/order-api'
import type { UsedCoupon } from '@befaqt/domain/coupon'
import { fulfilmentKinds } from '@befaqt/domain/order-states'
import type { DeliveryTerms } from '@befaqt/domain/order-totals'
import { paymentMethods } from '@befaqt/domain/payment'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { moment } from './columns.ts'
import { coupons } from './coupons.ts'
import type { orderContacts, orderLines } from './orders.ts'

/** A line as it becomes one of the order. */
export type WaitingLine = Pick<
  typeof orderLines.$inferSelect,
  | 'position'
  | 'productId'
  | 'title'
  | 'priceCents'
  | 'discount'
  | 'unit'
  | 'includeGst'
  | 'quantity'
  | 'orderedGrams'
  | 'origin'
> &
  /** Lines of before there were any have none. */
  Partial<Pick<typeof orderLines.$inferSelect, 'preparation'>>

type Contact = Pick<
  typeof orderContacts.$inferSelect,
  'fname' | 'lname' | 'email' | 'phone' | 'address' | 'note'
>

/**
 * Large first orders that nobody has confirmed. They take neither stock nor a place in a slot, have no number, and
 * become an order of the same id; nothing that counts orders reads them, but for the
 * uses of coupons. Money in whole cents.
 */
export const waitingOrders = pgTable(
  'waiting_orders',
  {
    id: text().primaryKey(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** One that has ended by the clock is still WAITING here. */
    status: text({ enum: ['WAITING', 'DROPPED'] }).notNull(),
    /** Why it was dropped, for its buyer. */
    reason: text().notNull().default(''),
    kind: text({ enum: fulfilmentKinds }).notNull(),
    /** The slot as it was; it may be gone. */
    slot: jsonb().$type<Omit<SlotView, 'left'>>().notNull(),
    lines: jsonb().$type<WaitingLine[]>().notNull(),
    totalCents: bigint({ mode: 'number' }).notNull(),
    /** As that of an order. */
    deliveryCents: bigint({ mode: 'number' }).notNull().default(0),
    delivery: jsonb().$type<DeliveryTerms>(),
    /** As that of an order: it counts as used until this has ended. */
    couponId: text().references(() => coupons.id),
    coupon: jsonb().$type<UsedCoupon>(),
    payment: text({ enum: paymentMethods }).notNull(),
    /** Null once it was dropped. */
    contact: jsonb().$type<Contact>(),
    /** How often its email was sent. */
    emails: integer().notNull().default(0),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    createdAt: moment(),
  },
  (t) => [index().on(t.endsAt), index().on(t.createdAt, t.id), index().on(t.userId), index().on(t.couponId)],
)
