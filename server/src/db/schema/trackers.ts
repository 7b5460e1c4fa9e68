import { index, pgTable, primaryKey, real, text, timestamp } from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'

/** Devices of other services, which sign nothing: known since their first message, assigned to a box or not. */
export const trackers = pgTable(
  'trackers',
  {
    /** `source:deviceId`. */
    id: text().primaryKey(),
    source: text({ enum: ['tive', 'lorawan'] }).notNull(),
    deviceId: text().notNull(),
    name: text().notNull(),
    /** The newest reading that was stored. */
    lastBox: text(),
    readingAt: timestamp({ withTimezone: true }),
    temperature: real(),
    battery: real(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** Why the last message was refused. */
    refusal: text(),
    createdAt: moment(),
  },
  (t) => [index().on(t.createdAt, t.id)],
)

/** From when on a tracker travels with a box, until its next assignment; without a box it travels with none. */
export const trackerAssignments = pgTable(
  'tracker_assignments',
  {
    trackerId: text()
      .notNull()
      .references(() => trackers.id),
    from: timestamp({ withTimezone: true }).notNull(),
    boxId: text().references(() => boxes.id),
  },
  (t) => [primaryKey({ columns: [t.trackerId, t.from] }), index().on(t.boxId)],
)

/** How the columns of a logger's file are read, kept by name. */
export const columnMaps = pgTable('column_maps', {
  name: text().primaryKey(),
  /** A `ColumnMap` of domain/logger-file.ts as JSON; parsed when it is read. */
  map: text().notNull(),
  updatedAt: moment(),
})
