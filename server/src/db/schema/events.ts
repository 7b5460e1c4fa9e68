import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
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
    /** The ids that it is about; null: any. */
    keys: text().array(),
    at: moment(),
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
