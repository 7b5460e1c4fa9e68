import { allRefundWays, allWishes, complaintStates, type Wrong } from '@befaqt/domain/complaint'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { orderContacts, orders } from './orders.ts'

/**
 * What buyers said was wrong with orders, and what the shop decided: nothing of it is personal. What was written and
 * shown is in the two tables below, and goes with who ordered.
 */
export const complaints = pgTable(
  'complaints',
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    status: text({ enum: complaintStates }).notNull(),
    /** Positions of lines; none: the order as a whole. */
    lines: jsonb().$type<number[]>().notNull(),
    wrong: jsonb().$type<Wrong[]>().notNull(),
    wish: text({ enum: allWishes }).notNull(),
    /** How often it was sent or opened again. */
    rounds: integer().notNull().default(1),
    answeredAt: timestamp({ withTimezone: true }),
    /** Whole cents that the shop said it gives back, and when, by whom and how it said that it did; null: not. */
    promisedCents: bigint({ mode: 'number' }),
    refundedAt: timestamp({ withTimezone: true }),
    refundedBy: text(),
    refundWay: text({ enum: allRefundWays }),
    /** Is it about something of which others eat, too? Then when, by whom and with what result somebody looked. */
    aboutBoxes: boolean().notNull(),
    checkedAt: timestamp({ withTimezone: true }),
    checkedBy: text(),
    checkFound: text(),
    version: integer().notNull().default(1),
    createdAt: moment(),
    updatedAt: moment(),
  },
  (t) => [
    index().on(t.orderId, t.createdAt),
    /** An order has one at a time. */
    uniqueIndex('complaints_current_unique').on(t.orderId).where(sql`${t.status} in ('OPEN', 'ANSWERED')`),
    /** Open ones first, the newest of each first: read backwards. */
    index('complaints_listed_index').on(sql`(${t.status} = 'OPEN')`, t.createdAt, t.id),
    index('complaints_unchecked_index')
      .on(t.createdAt)
      .where(sql`${t.aboutBoxes} and ${t.checkedAt} is null`),
    index().on(t.updatedAt),
  ],
)

const ofBuyer = () =>
  text()
    .notNull()
    .references(() => orderContacts.orderId, { onDelete: 'cascade' })

/** What was written of a complaint, by its buyer and for the shop. It goes with who ordered. */
export const complaintWords = pgTable(
  'complaint_words',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    complaintId: text()
      .notNull()
      .references(() => complaints.id, { onDelete: 'cascade' }),
    orderId: ofBuyer(),
    /** Actor id of who wrote it for the shop; null: the buyer. */
    who: text(),
    text: text().notNull(),
    happenedAt: moment(),
  },
  (t) => [index().on(t.complaintId, t.id), index().on(t.orderId)],
)

/**
 * Photos of a complaint. They are no files of the shop: those are public. However a row goes, a trigger has its object
 * removed (`complaint_photo_gone`).
 */
export const complaintPhotos = pgTable(
  'complaint_photos',
  {
    id: text().primaryKey(),
    complaintId: text()
      .notNull()
      .references(() => complaints.id, { onDelete: 'cascade' }),
    orderId: ofBuyer(),
    place: integer().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    objectKey: text().notNull().unique(),
  },
  (t) => [index().on(t.complaintId, t.place), index().on(t.orderId)],
)
