import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/**
 * The outbox: what transactions tell other parts and other processes of, each in a row that is committed with the change.
 * Ids and nothing personal. Source: docs/decisions/0073-one-outbox.md.
 */
export const events = pgTable(
  'events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /**
     * Its place in the order in which followers read, without gaps; null until it is numbered, after the commit. `id` is
     * not that order: a smaller one may be committed later.
     */
    number: bigint({ mode: 'number' }),
    /** Any text: a process passes over kinds that only newer ones know. */
    kind: text().notNull(),
    /** Of what the kind means (`knownVersions`). */
    version: smallint().notNull().default(1),
    /** The ids that it is about; null: any. */
    keys: text().array(),
    at: moment(),
    /** Traceparent of the transaction that appended it, where that was recorded. */
    trace: text().default(sql`nullif(current_setting('befaqt.trace', true), '')`),
  },
  (t) => [
    uniqueIndex().on(t.number).where(sql`${t.number} is not null`),
    index('events_unnumbered_index').on(t.id).where(sql`${t.number} is null`),
  ],
)

/** The last number that was given, in one row, which whoever gives the next ones locks. It outlives the events. */
export const eventNumbers = pgTable(
  'event_numbers',
  {
    onlyRow: boolean().primaryKey().default(true),
    last: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [check('one_row', sql`${t.onlyRow}`)],
)

/** How far the work in the database that follows from events has come, and whether it stands. */
export const eventConsumers = pgTable('event_consumers', {
  name: text().primaryKey(),
  /** The number of the last event whose work is done: it moves in the transaction of the work. */
  last: bigint({ mode: 'number' }).notNull(),
  /** Failures of the next event, one after the other; with the first one's time, the next try's and the last one's words. */
  failures: integer().notNull().default(0),
  failingSince: timestamp({ withTimezone: true }),
  retryAt: timestamp({ withTimezone: true }),
  lastError: text(),
  /** Events that were passed over since the process knew nothing of their kind or version, ever, and the first of them. */
  skipped: integer().notNull().default(0),
  skippedFrom: bigint({ mode: 'number' }),
  /** How often events that it had not come to were gone. */
  lost: integer().notNull().default(0),
  /** When a process that has this consumer last looked, to the hour. */
  seenAt: moment(),
})
