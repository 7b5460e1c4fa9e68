import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { moment, searchable } from './columns.ts'

/** People. Source: spec §3 User; product.md. */
export const users = pgTable('users', {
  id: text().primaryKey(),
  fname: text().notNull(),
  lname: text().notNull(),
  /** As typed; mail goes here. */
  email: text().notNull(),
  /** Lower case, NFC: what makes an address the same address. */
  emailKey: text().notNull().unique(),
  phone: text().notNull(),
  role: text({ enum: ['USER', 'ADMIN'] }).notNull(),
  status: text({ enum: ['ACTIVE', 'INACTIVE', 'DISABLED'] }).notNull(),
  /** PHC string of argon2id. */
  passwordHash: text().notNull(),
  /** AES-256-GCM of the TOTP secret; null: no second factor begun. */
  totpSecret: text(),
  totpConfirmedAt: timestamp({ withTimezone: true }),
  /** Last TOTP time step that was accepted: a step works once. */
  totpLastStep: bigint({ mode: 'number' }),
  version: integer().notNull().default(1),
  activatedAt: timestamp({ withTimezone: true }),
  createdAt: moment(),
  updatedAt: moment(),
  /** What a search looks in, and, since the last name comes first, what sorts by name. */
  search: searchable("lname || ' ' || fname", 'email', 'phone', "replace(phone, ' ', '')"),
})

/** Signed-in browsers and bearer holders; the token itself is never stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    tokenHash: text().notNull().unique(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text().notNull(),
    address: text().notNull(),
    createdAt: moment(),
    lastUsedAt: moment(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index().on(t.userId)],
)

/** Links sent by mail or printed once: activation, recovery, first admin. Hashes only. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['activate', 'reset', 'first-admin'] }).notNull(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment(),
    /** Activation: what that sign-up asked for, so that a link never brings in somebody else's password. */
    signUp: jsonb().$type<{ fname: string; lname: string; phone: string; passwordHash: string }>(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.userId)],
)

/** Browsers that have signed in to an account before: guessing by others does not hold them up. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    lastUsedAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)

/** WebAuthn credentials. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    publicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    backedUp: boolean().notNull().default(false),
    createdAt: moment(),
    lastUsedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.userId)],
)

export const webauthnChallenges = pgTable('webauthn_challenges', {
  challenge: text().primaryKey(),
  userId: text().references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
})

/** Counters of rate limits and lockouts, shared by all processes. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  count: integer().notNull(),
  /** No try counts and none is let through before this. */
  lockedUntil: timestamp({ withTimezone: true }),
  windowEndsAt: timestamp({ withTimezone: true }).notNull(),
})

/** Keys of machines. Source: running.md 'Keys'. */
export const apiKeys = pgTable('api_keys', {
  id: text().primaryKey(),
  name: text().notNull(),
  hash: text().notNull().unique(),
  rights: jsonb().$type<string[]>().notNull(),
  /** Boxes that the key may touch; null: all. */
  boxes: jsonb().$type<string[]>(),
  createdBy: text(),
  createdAt: moment(),
  lastUsedAt: timestamp({ withTimezone: true }),
  revokedAt: timestamp({ withTimezone: true }),
})
