import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'
import { bytes, moment } from './columns.ts'

/** The append-only log of anchors, by the name that it has had since it was begun. */
export const anchorLogs = pgTable('anchor_logs', {
  origin: text().primaryKey(),
  /** The public key, as others are given it. */
  key: text().notNull(),
  /** Why nothing is signed until an operator decides, in a sentence; null: no fault. */
  fault: text(),
  /** A checkpoint by its key that a witness shows and that is not here, or not as here; null: none was seen. */
  seen: text(),
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

/** What witnesses signed of our checkpoints, of each the newest that no newer one replaces. */
export const logCosignatures = pgTable(
  'log_cosignatures',
  {
    origin: text().notNull(),
    size: integer().notNull(),
    /** Key of the witness, as policies write it. */
    key: text().notNull(),
    /** The line below the checkpoint, with its newline. */
    line: text().notNull(),
    /** When the witness says that it signed, in seconds since 1970. */
    time: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.size, t.key] })],
)

/** Witnesses that are asked, and how that goes. */
export const logWitnesses = pgTable('log_witnesses', {
  url: text().primaryKey(),
  /** Its names in the policy. */
  name: text().notNull(),
  /** Why its last answer was none, in a sentence; null: it signed. */
  fault: text(),
  /** When that became so. */
  since: moment(),
})

/**
 * Logs beside that of anchors, by their names: of the builds that visitors run, and of anchors as they were before their log
 * was begun anew.
 */
export const otherLogs = pgTable('other_logs', {
  origin: text().primaryKey(),
  kind: text().$type<'builds' | 'former'>().notNull(),
  key: text().notNull(),
  /** As in `anchor_logs`; a former one is not signed any more, and has neither. */
  fault: text(),
  seen: text(),
  createdAt: moment(),
})

/** What is in them. */
export const otherLogEntries = pgTable(
  'other_log_entries',
  { origin: text().notNull(), index: integer().notNull(), entry: text().notNull() },
  (t) => [primaryKey({ columns: [t.origin, t.index] })],
)

/** Hashes of their trees. */
export const otherLogTiles = pgTable(
  'other_log_tiles',
  {
    origin: text().notNull(),
    level: integer().notNull(),
    index: integer().notNull(),
    hashes: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.origin, t.level, t.index] })],
)

/** What processes serve, each as the entry of the log of builds that it is to have. */
export const startedBuilds = pgTable('started_builds', { entry: text().primaryKey(), createdAt: moment() })

/** Checkpoints of the log of anchors whose time others have stamped, one a day at most. */
export const logStamps = pgTable(
  'log_stamps',
  {
    /** In UTC, as 2026-11-28. */
    day: text().primaryKey(),
    /** Which checkpoint. */
    origin: text().notNull(),
    size: integer().notNull(),
    /** An authority's answer to a request for a time stamp, of whom, and the time that it says; null: none was got. */
    tsr: bytes(),
    stampedBy: text(),
    stampedAt: timestamp({ withTimezone: true }),
    /** The proof of OpenTimestamps, and whether a Bitcoin block attests it; null: none was got. */
    ots: bytes(),
    isComplete: boolean().notNull().default(false),
    /** When calendars were asked last what became of it. */
    otsAskedAt: timestamp({ withTimezone: true }),
    /** What of it was not got the last time, in sentences; null: nothing. */
    fault: text(),
    createdAt: moment(),
  },
  (t) => [unique().on(t.origin, t.size)],
)
