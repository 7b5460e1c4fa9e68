import type { UsedCoupon } from '@befaqt/domain/coupon'
import { fulfilmentKinds, orderStates } from '@befaqt/domain/order-states'
import type { DeliveryTerms } from '@befaqt/domain/order-totals'
import type { Preparation } from '@befaqt/domain/preparation'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { boxes } from './boxes.ts'
import { moment, plainText, quantity, searchable } from './columns.ts'
import { coupons } from './coupons.ts'
import { products } from './shop.ts'
import { slotRules } from './slot-rules.ts'

const cents = () => bigint({ mode: 'number' }).notNull()

/** Times at which orders are picked up or delivered. Capacity counts orders that are not cancelled, and open holds. */
export const slots = pgTable(
  'slots',
  {
    id: text().primaryKey(),
    kind: text({ enum: fulfilmentKinds }).notNull(),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    /** IANA zone in which it is shown. */
    timeZone: text().notNull(),
    /** Postcodes that it delivers to; null: it is for pick-up. */
    area: jsonb().$type<string[]>(),
    capacity: integer().notNull(),
    /** No orders are taken from then on. */
    cutOffAt: timestamp({ withTimezone: true }).notNull(),
    closed: boolean().notNull().default(false),
    /** The rule that made it, and for which date of the rule's zone; null: somebody made it, or the rule is gone. */
    ruleId: text().references(() => slotRules.id, { onDelete: 'set null' }),
    ruleDay: text(),
    /** Somebody changed it: its rule leaves it alone. */
    edited: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    createdAt: moment(),
  },
  (t) => [
    index().on(t.startsAt, t.id),
    uniqueIndex().on(t.ruleId, t.ruleDay),
    index('slots_offered_index').on(t.kind, t.cutOffAt).where(sql`not ${t.closed}`),
  ],
)

/** What an open checkout holds for its shopper. It ends by the database's clock: an expired one is ignored. */
export const holds = pgTable(
  'holds',
  {
    id: text().primaryKey(),
    /** A user has one hold: a new checkout replaces it. */
    userId: text()
      .references(() => users.id, { onDelete: 'cascade' })
      .unique(),
    slotId: text().references(() => slots.id, { onDelete: 'set null' }),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    /** Keyed hash of the network it is made from, where that may take only a share; null: it may take all. */
    network: text(),
  },
  (t) => [index().on(t.expiresAt), index().on(t.slotId), index().on(t.network)],
)

export const holdLines = pgTable(
  'hold_lines',
  {
    holdId: text()
      .notNull()
      .references(() => holds.id, { onDelete: 'cascade' }),
    productId: text()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    quantity: quantity().notNull(),
  },
  (t) => [primaryKey({ columns: [t.holdId, t.productId] }), index().on(t.productId)],
)

/** Orders. Who ordered is in `order_contacts`, so that it goes with an account. Money in whole cents. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    number: plainText().notNull().unique(),
    /** Set when it is packed, when its sums are final. */
    invoiceNumber: text().unique(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    status: text({ enum: orderStates }).notNull(),
    kind: text({ enum: fulfilmentKinds }).notNull(),
    slotId: text()
      .notNull()
      .references(() => slots.id),
    /** When that slot starts, by which the queue is sorted: a slot with orders keeps its times. */
    slotStartsAt: timestamp({ withTimezone: true }).notNull(),
    /** The total that the buyer agreed to, when ordering or since. */
    agreedCents: cents(),
    /** By how much the final total may exceed it, in percent. */
    tolerancePercent: integer().notNull(),
    deliveryCents: cents(),
    /** What was agreed on of its delivery, which `deliveryCents` follows from; null: it is picked up, or in no area. */
    delivery: jsonb().$type<DeliveryTerms>(),
    /** The current total: of what was ordered, or of what was weighed. */
    totalCents: cents(),
    /** The coupon that takes something off it, and its terms as they were then; null: none. */
    couponId: text().references(() => coupons.id),
    coupon: jsonb().$type<UsedCoupon>(),
    /** How much of `totalCents` it takes off. */
    couponCents: bigint({ mode: 'number' }).notNull().default(0),
    /** Keyed hash of the network that it counts for until it is confirmed; null: it counts for none. */
    network: text(),
    /** When it was said to be meant: by a click in its email, by the shop, or by a card. */
    confirmedAt: timestamp({ withTimezone: true }),
    /** How often its buyer changed it: an email that was queued before the last time is not sent any more. */
    amendments: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: moment(),
    updatedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt, t.id),
    index().on(t.status, t.createdAt, t.id),
    index().on(t.userId, t.createdAt),
    index().on(t.slotId),
    /** Uses of a coupon: what is cancelled gives its use back. */
    index('orders_coupon_index').on(t.couponId, t.status).where(sql`${t.couponId} is not null`),
    index('orders_unconfirmed_index').on(t.network).where(sql`${t.network} is not null`),
    index().on(t.slotStartsAt, t.createdAt, t.id),
    /** For a number by its last digits. */
    index('orders_number_reversed_index').on(sql`reverse(${t.number}) collate "C"`),
    index('orders_open_index')
      .on(t.slotStartsAt, t.createdAt, t.id)
      .where(sql`${t.status} not in ('COMPLETED', 'CANCELLED')`),
  ],
)

/** Who ordered, and where to: everything personal of an order. Deleted with its account. */
export const orderContacts = pgTable(
  'order_contacts',
  {
    orderId: text()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    fname: text().notNull(),
    lname: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    address: jsonb().$type<{ street: string; suburb: string; state: string; postcode: string }>(),
    note: text().notNull().default(''),
    search: searchable("lname || ' ' || fname", 'email', 'phone', "replace(phone, ' ', '')"),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.search),
    index('order_contacts_email_index').on(sql`lower(${t.email})`),
    index('order_contacts_trigrams_index').using('gin', sql`trigrams(${t.search})`),
  ],
)

/** What was ordered, at the price of that moment. */
export const orderLines = pgTable(
  'order_lines',
  {
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    productId: text()
      .notNull()
      .references(() => products.id),
    title: text().notNull(),
    /** With its preparation. */
    priceCents: integer().notNull(),
    discount: integer().notNull(),
    /** What is done to it, and what of its price that is, as they were; null: it stays whole. */
    preparation: jsonb().$type<Preparation>(),
    unit: text().notNull(),
    includeGst: boolean().notNull(),
    quantity: quantity().notNull(),
    /** What the quantity is meant to weigh; null: it is counted. */
    orderedGrams: integer(),
    /** Net weight as packed; null until then. */
    finalGrams: integer(),
    /** Actor id of who weighed it, when, and with which scale. */
    weighedBy: text(),
    weighedAt: timestamp({ withTimezone: true }),
    scale: text(),
    /** Country of origin; null: not stated. */
    origin: text(),
    /** Why it was packed from no box although its product comes from boxes; null: it was not. */
    noBoxReason: text(),
    /** Why it was left out of the order, which then costs nothing; null: it was not. */
    leftOutReason: text(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.position] }), index().on(t.productId)],
)

/** The boxes that a line was packed from. The unit of the line says what `amount` is a number of. */
export const orderLineBoxes = pgTable(
  'order_line_boxes',
  {
    orderId: text().notNull(),
    position: integer().notNull(),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    amount: integer().notNull(),
    /** How fresh it was said to be when it was packed; null: nothing was, or it was not written down yet. */
    word: text(),
    /** The place of its record in the history of the box; null: it is not packed yet, or was before places were kept. */
    saleSeq: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.position, t.boxId] }),
    foreignKey({
      columns: [t.orderId, t.position],
      foreignColumns: [orderLines.orderId, orderLines.position],
    }).onDelete('cascade'),
    index().on(t.boxId),
  ],
)

/** What was lost of a product in a box, and why. */
export const boxLosses = pgTable(
  'box_losses',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    productId: text()
      .notNull()
      .references(() => products.id),
    amount: integer().notNull(),
    /** The product's unit when it was lost, which says what the amount is a number of. */
    unit: text().notNull(),
    reason: text().notNull(),
    /** Actor id. */
    who: text().notNull(),
    happenedAt: moment(),
  },
  (t) => [index().on(t.boxId), index().on(t.productId)],
)

/** Every state that an order came into, and what was decided in it: who, when, and why. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    status: text({ enum: orderStates }).notNull(),
    /** Actor id; null: the guest who ordered. */
    who: text(),
    reason: text().notNull().default(''),
    /** For the shop alone: the buyer does not see it. */
    internal: boolean().notNull().default(false),
    /** Cents that the buyer paid otherwise than by card, as whoever made the move said; null: nothing was said. */
    paidCents: bigint({ mode: 'number' }),
    happenedAt: moment(),
  },
  (t) => [index().on(t.orderId, t.id)],
)

/** Orders by the hash of their request's `Idempotency-Key`, with the response, which has no personal data. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    keyHash: text().primaryKey(),
    /** SHA-256 of method, URL, principal and canonical body. */
    fingerprint: text().notNull(),
    /** JSON; empty only within the transaction that makes the order. */
    response: text().notNull().default(''),
    createdAt: moment(),
  },
  (t) => [index().on(t.createdAt)],
)

/** The last number given by each sequence. Counted in the caller's transaction: no number twice, and none left out. */
export const numberSequences = pgTable('number_sequences', {
  name: text().primaryKey(),
  last: integer().notNull(),
})
