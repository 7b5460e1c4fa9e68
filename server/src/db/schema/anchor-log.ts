import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, moment } from './columns.ts'

/** The append-only log of anchors, by the name that it has had since it was begun. */
export const anchorLogs = pgTable('anchor_logs', {
  origin: text().primaryKey(),
  /** The public key, as others are given it. */
  key: text().notNull(),
  /** Why nothing is signed until an operator decides, in a sentence; null: no fault. */
  fault: text(),
  createdAt: moment(),
})

/** What is in the log: the canonical JSON of each anchor, by its index. It never changes once it is here. */
export const logEntries = pgTable('log_entries', { index: integer().primaryKey(), entry: text().notNull() })

/** Hashes of the log's tree: of its entries (level 0), and of each full tile of the level below. */
export const logTiles = pgTable(
  'log_tiles',
  {
    level: integer().notNull(),
    index: integer().notNull(),
    /** Up to 256, of 32 bytes each. */
    hashes: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.level, t.index] })],
)

/** Every checkpoint that was signed; it is here before anybody is shown it. */
export const logCheckpoints = pgTable(
  'log_checkpoints',
  {
    origin: text().notNull(),
    size: integer().notNull(),
    /** Hex. */
    root: text().notNull(),
    /** With its signature. */
    note: text().notNull(),
    createdAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.size] })],
)
