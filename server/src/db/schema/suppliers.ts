import type { CatchDoubt } from '@befaqt/domain/api/field-api'
import type { CatchProv, FieldReading, Fisher } from '@befaqt/domain/box'
import type { RecordedReading } from '@befaqt/domain/box-records'
import type { Handover, SupplierIdentity } from '@befaqt/domain/supplier'
import { isNotNull } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, real, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { moment } from './columns.ts'
import { devices } from './devices.ts'

/** A reading of a tag that waits for a claim, with the statement that its phone signed, if it did. */
export type StoredReading = FieldReading &
  Pick<RecordedReading, 'sent' | 'signed'> & {
    statement?: {
      key: string
      counter: number
      digest: string
      place: number
      battery: number | null
      prev?: string
    }
  }

/** A catch that waits for a manager, with the fisher of its box's registration. */
export type StoredCatch = {
  catch: Omit<CatchProv, 'txHash'>
  fisher: Fisher
  doubt: CatchDoubt
  /** Its net weight; absent: nobody weighed it. */
  grams?: number
}

/** Who an account of the role SUPPLIER is in records. */
export const suppliers = pgTable(
  'suppliers',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    fisher: jsonb().$type<SupplierIdentity>().notNull(),
    /** `partyOf` the fisher: their name in hand-overs. */
    party: text().notNull(),
    createdAt: moment(),
  },
  (t) => [index().on(t.party)],
)

/** Labels of boxes that managers allotted to suppliers: numbers as `labelNumberOf` reads them, from `first` to `last`. */
export const supplierLabels = pgTable(
  'supplier_labels',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => suppliers.userId, { onDelete: 'cascade' }),
    prefix: text().notNull(),
    digits: integer().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    createdAt: moment(),
  },
  (t) => [index().on(t.userId), index().on(t.prefix, t.digits, t.first)],
)

/** Invitations of suppliers. Tokens are stored only as hashes. */
export const invitations = pgTable(
  'invitations',
  {
    id: text().primaryKey(),
    tokenHash: text().notNull().unique(),
    email: text().notNull(),
    emailKey: text().notNull(),
    fisher: jsonb().$type<SupplierIdentity>().notNull(),
    /** Actor id. */
    invitedBy: text().notNull(),
    createdAt: moment(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index().on(t.emailKey), index().on(t.expiresAt)],
)

/** What phones have sent, each once. `deviceAt` is the phone's time, `receivedAt` the server's. */
export const fieldEntries = pgTable(
  'field_entries',
  {
    /** Made on the phone. */
    id: text().primaryKey(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    kind: text({ enum: ['catch', 'handover', 'reading'] }).notNull(),
    /** SHA-256 of what was sent, without when: another content under the same id is refused. */
    fingerprint: text().notNull(),
    /** There is no such box yet while its catch waits for a manager. */
    boxId: text().notNull(),
    /** Place of its record in the history; null: there is none, or none yet. */
    seq: integer(),
    /** The time that was recorded. */
    at: timestamp({ withTimezone: true }).notNull(),
    deviceAt: timestamp({ withTimezone: true }).notNull(),
    receivedAt: timestamp({ withTimezone: true }).notNull(),
    /** Seconds by which the phone's clock was behind when it sent; negative: ahead. */
    clockOffsetS: real().notNull(),
    late: boolean().notNull(),
    clockWrong: boolean().notNull(),
    /** Of its position, in metres; null: none. */
    accuracy: real(),
    /** The key that signed it; null: none. */
    signedBy: text().references(() => devices.id),
    /**
     * What it waits or waited for, by its id: a hand-over that its receiver alone said, or a catch that a manager has to
     * look at. These name themselves.
     */
    claim: text(),
    /** Until when that may be confirmed, and when it was refused; null: a catch waits as long as it takes. */
    waitsUntil: timestamp({ withTimezone: true }),
    /** What is to be recorded when it is confirmed; null once it was decided, and a week after it lapsed. */
    kept: jsonb().$type<Handover | StoredReading | StoredCatch>(),
    /** Why a manager refused it. */
    refusedFor: text(),
  },
  (t) => [
    index().on(t.boxId),
    index().on(t.userId, t.receivedAt),
    index().on(t.waitsUntil).where(isNotNull(t.kept)),
  ],
)
