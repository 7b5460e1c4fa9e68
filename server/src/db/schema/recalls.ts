import { index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'
import { orders } from './orders.ts'

/** Recalls of boxes, with those that were withdrawn. `boxes.recallId` names the one in force. */
export const recalls = pgTable(
  'recalls',
  {
    id: text().primaryKey(),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    reason: text().notNull(),
    /** When, in market time, as its record says. */
    at: text().notNull(),
    /** Place of its record in the history; null: the box had been sealed. */
    seq: integer(),
    /** Actor id. */
    who: text().notNull(),
    happenedAt: moment(),
    /** When, by whom and why it was withdrawn; null: it is in force. */
    endedAt: timestamp({ withTimezone: true }),
    endedBy: text(),
    endReason: text(),
  },
  (t) => [index().on(t.boxId)],
)

/** The emails that tell buyers of a recall. One that was handed to the mail server has `sentAt`. */
export const recallNotices = pgTable(
  'recall_notices',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    recallId: text()
      .notNull()
      .references(() => recalls.id),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    queuedAt: moment(),
    sentAt: timestamp({ withTimezone: true }),
    /** When a mail server took the email that it was withdrawn, or an email that made that one needless. */
    withdrawalSentAt: timestamp({ withTimezone: true }),
  },
  (t) => [uniqueIndex().on(t.recallId, t.orderId), index().on(t.orderId)],
)
