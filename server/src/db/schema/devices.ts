import { bigint, index, integer, pgTable, primaryKey, real, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
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
    /**
     * The account whose phone it is, which limits it to the boxes that they recorded or hold. Stays when the account is
     * deleted, so that the limit does.
     */
    supplierId: text(),
    validFrom: timestamp({ withTimezone: true }).notNull(),
    revokedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
  },
  (t) => [index().on(t.createdAt, t.id), index().on(t.supplierId)],
)

/** Links by which phones of suppliers are enrolled, once each. Tokens are stored only as hashes. */
export const phoneLinks = pgTable(
  'phone_links',
  {
    id: text().primaryKey(),
    tokenHash: text().notNull().unique(),
    /** The supplier. */
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the phone will be called. */
    name: text().notNull(),
    createdAt: moment(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.userId), index().on(t.expiresAt)],
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
    /** The link of a supplier's phone; null: a manager registers it. */
    linkId: text().references(() => phoneLinks.id, { onDelete: 'cascade' }),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index().on(t.expiresAt), index().on(t.linkId)],
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
    /**
     * What distinguishes that statement: its hash, of the older form the SHA-256 of its signature; and the last place in it:
     * more of its readings may follow.
     */
    statement: text().notNull(),
    place: integer().notNull(),
    readingAt: timestamp({ withTimezone: true }).notNull(),
    temperature: real().notNull(),
    battery: real(),
    heardAt: timestamp({ withTimezone: true }).notNull(),
    /** When the one before was received. */
    heardBefore: timestamp({ withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.boxId] }), index().on(t.boxId)],
)
