import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'

/** What stays of a record whose row was dropped: all but its text, which is in the file. */
export type DroppedRecord = {
  seq: number
  kind: string
  recordHash: string
  dedupeKey: string | null
  /** ISO 8601 with microseconds. */
  recordedAt: string
}

/** Files of sealed boxes in the store: each holds the proof of one, as it was then. Source: docs/decisions/0146. */
export const boxArchives = pgTable('box_archives', {
  boxId: text()
    .primaryKey()
    .references(() => boxes.id),
  objectKey: text().notNull().unique(),
  /** Of the file as it is stored, compressed; hex. */
  sha256: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  records: integer().notNull(),
  createdAt: moment(),
  /** In the order of the history; null: every row is in `records`. */
  dropped: jsonb().$type<readonly DroppedRecord[]>(),
  droppedAt: timestamp({ withTimezone: true }),
})
