import { bigint, index, integer, pgTable, primaryKey, real, text, timestamp } from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'

/**
 * Keys that sign readings: what the register's records (box `device:ID`) say, kept where each reading can look it up.
 * Readings are stored with a row locked for share, so that none is stored after a revocation has returned.
 */
export const devices = pgTable(
  'devices',
  {
    /** Id of the key: the first 16 bytes of its SHA-256, in hex. */
    id: text().primaryKey(),
    /** Ed25519, 32 bytes in hex. */
    publicKey: text().notNull(),
    name: text().notNull(),
    level: text({ enum: ['sensor', 'gateway'] }).notNull(),
    validFrom: timestamp({ withTimezone: true }).notNull(),
    revokedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
  },
  (t) => [index().on(t.createdAt, t.id)],
)

/** Keys that have been shown and wait for their signature. */
export const enrolments = pgTable(
  'enrolments',
  {
    id: text().primaryKey(),
    publicKey: text().notNull(),
    name: text().notNull(),
    level: text({ enum: ['sensor', 'gateway'] }).notNull(),
    /** 32 random bytes in hex. */
    nonce: text().notNull(),
    /** Since when its readings are to count; null: since its registration. */
    validFrom: timestamp({ withTimezone: true }),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index().on(t.expiresAt)],
)

/** The last that a key signed about a box; written with the box's row locked. */
export const deviceBoxes = pgTable(
  'device_boxes',
  {
    deviceId: text()
      .notNull()
      .references(() => devices.id),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    counter: bigint({ mode: 'number' }).notNull(),
    /** SHA-256 of the signature, and the last place in that statement: more of its readings may follow. */
    statement: text().notNull(),
    place: integer().notNull(),
    readingAt: timestamp({ withTimezone: true }).notNull(),
    temperature: real().notNull(),
    battery: real(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** When the one before was heard. */
    heardBefore: timestamp({ withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.boxId] }), index().on(t.boxId)],
)
