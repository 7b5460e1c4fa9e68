import type { DeliveryAddress } from '@befaqt/domain/order'
import type { Right } from '@befaqt/domain/rights'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
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
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { moment, searchable } from './columns.ts'

/** Written out: a value that is handed over apart is not seen to be the index's. */
const staffOf = ({ role, rights }: { role: SQLWrapper; rights: SQLWrapper }): SQL =>
  sql`(${role} = 'ADMIN' or ${rights} <> '[]')`

/** People. Source: spec §3 User; product.md. */
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    fname: text().notNull(),
    lname: text().notNull(),
    /** As typed; emails are sent to it. */
    email: text().notNull(),
    /** Lower case, NFC: addresses are unique by it. */
    emailKey: text().notNull().unique(),
    phone: text().notNull(),
    role: text({ enum: ['USER', 'ADMIN', 'SUPPLIER'] }).notNull(),
    /** What the account may do at the desk; none for customers. ADMIN has all rights, whatever is here. */
    rights: jsonb().$type<Right[]>().notNull().default([]),
    status: text({ enum: ['ACTIVE', 'INACTIVE', 'DISABLED'] }).notNull(),
    /** PHC string of argon2id. */
    passwordHash: text().notNull(),
    /** AES-256-GCM of the TOTP secret; null: no second factor set up. */
    totpSecret: text(),
    totpConfirmedAt: timestamp({ withTimezone: true }),
    /** Last TOTP time step that was accepted: each step is accepted once. */
    totpLastStep: bigint({ mode: 'number' }),
    version: integer().notNull().default(1),
    activatedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
    updatedAt: moment(),
    /** For searching, and, since the last name comes first, for sorting by name. */
    search: searchable("lname || ' ' || fname", 'email', 'phone', "replace(phone, ' ', '')"),
  },
  (t) => [
    index().on(t.search),
    // For each order in which accounts are listed.
    index().on(t.search, t.id),
    index().on(t.createdAt, t.id),
    index().on(t.role, t.id),
    index().on(t.status, t.id),
    index().on(t.status, t.search, t.id),
    index('users_trigrams_index').using('gin', sql`trigrams(${t.search})`),
    // The few who work at the desk are found among any number of customers.
    index('users_staff').on(t.id).where(staffOf(t)),
  ],
)

/** SQL: does this account work at the desk? As the index of the few that do says it. */
export const isStaff = staffOf(users)

/** Sessions of browsers and of bearer tokens. Tokens are stored only as hashes. */
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
    /** When password or passkey were asked for last; null: before that was noted. */
    confirmedAt: timestamp({ withTimezone: true }),
    /** It began with a passkey, which is both factors in one. */
    byPasskey: boolean().notNull().default(false),
  },
  (t) => [index().on(t.userId)],
)

/** Tokens of links that are emailed or printed once: activation, recovery, first admin. Hashes only. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['activate', 'reset', 'first-admin'] }).notNull(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment(),
    /** Activation: the data of that sign-up, so that a link never activates another sign-up's password. */
    signUp: jsonb().$type<{ fname: string; lname: string; phone: string; passwordHash: string }>(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.userId)],
)

/**
 * A change of an account's email that waits until both addresses confirm it. Of each link only the hash is stored. An
 * account has one: a new one replaces it.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The new address, as typed. */
    email: text().notNull(),
    /** What it changes from: an account whose address is another one by now stays as it is. */
    oldKey: text().notNull(),
    oldHash: text().notNull(),
    newHash: text().notNull(),
    oldConfirmedAt: timestamp({ withTimezone: true }),
    newConfirmedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index().on(t.oldHash), index().on(t.newHash)],
)

/** Delivery addresses that an account keeps for its orders. */
export const addresses = pgTable(
  'addresses',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    label: text().notNull(),
    street: text().notNull(),
    suburb: text().notNull(),
    state: text().$type<DeliveryAddress['state']>().notNull(),
    postcode: text().notNull(),
    /** The checkout begins with it. */
    preferred: boolean().notNull(),
    createdAt: moment(),
  },
  (t) => [
    index().on(t.userId, t.createdAt, t.id),
    uniqueIndex('addresses_preferred_unique').on(t.userId).where(sql`${t.preferred}`),
  ],
)

/** Invitations to work at the desk. Of their links only the hashes are stored. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: text().primaryKey(),
    tokenHash: text().notNull().unique(),
    email: text().notNull(),
    emailKey: text().notNull(),
    rights: jsonb().$type<Right[]>().notNull(),
    /** Actor id. */
    invitedBy: text().notNull(),
    createdAt: moment(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.emailKey), index().on(t.expiresAt)],
)

/** Browsers that have signed in to an account before: they are not locked out by other people's failed attempts. */
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

/** Products that people keep an eye on. They outlive the product, under the name that it had. */
export const favourites = pgTable(
  'favourites',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    productId: text().notNull(),
    title: text().notNull(),
    createdAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.productId] })],
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
  /** Until then every attempt is rejected without being counted. */
  lockedUntil: timestamp({ withTimezone: true }),
  windowEndsAt: timestamp({ withTimezone: true }).notNull(),
})

/** API keys. Source: running.md 'Keys'. */
export const apiKeys = pgTable('api_keys', {
  id: text().primaryKey(),
  name: text().notNull(),
  hash: text().notNull().unique(),
  rights: jsonb().$type<string[]>().notNull(),
  /** Boxes that the key may access; null: all. */
  boxes: jsonb().$type<string[]>(),
  createdBy: text(),
  createdAt: moment(),
  lastUsedAt: timestamp({ withTimezone: true }),
  revokedAt: timestamp({ withTimezone: true }),
})
