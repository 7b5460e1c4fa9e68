import type { FieldReading } from '@befaqt/domain/box-input'
import type { Handover } from '@befaqt/domain/handover'
import type { RecordedReading } from '@befaqt/domain/recorded-reading'
import type { SupplierIdentity } from '@befaqt/domain/supplier'
import { isNotNull } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, real, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'
import { devices } from './devices.ts'

/** A reading of a tag that waits for a claim, with the statement that its phone signed, if it did. */
export type StoredReading = FieldReading &
  Pick<RecordedReading, 'sent' | 'signed'> & {
    statement?: { key: string; counter: number; digest: string; place: number; battery: number | null }
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
    boxId: text()
      .notNull()
      .references(() => boxes.id),
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
    /** The claim that it waits or waited for: a hand-over that its receiver alone said, by its id. A claim names itself. */
    claim: text(),
    /** Until when that may be confirmed, and when it was refused. */
    waitsUntil: timestamp({ withTimezone: true }),
    /** What is to be recorded when it is confirmed: a hand-over, or a reading; null once it was decided. */
    kept: jsonb().$type<Handover | StoredReading>(),
  },
  (t) => [
    index().on(t.boxId),
    index().on(t.userId, t.receivedAt),
    index().on(t.waitsUntil).where(isNotNull(t.kept)),
  ],
)
