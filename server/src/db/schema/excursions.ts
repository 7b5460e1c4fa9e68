import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'

const at = () => timestamp({ withTimezone: true })

/**
 * Alerts about boxes that managers work through: of each box the stretches above a limit, as its readings are now
 * (`warmStretches`), and its silences. `endedAt`: it ended by itself; `closedAt`: a manager closed it; `withdrawnAt`:
 * readings that came late, or a correction, show that it never was, or that it is a part of another.
 */
export const excursions = pgTable(
  'excursions',
  {
    id: text().primaryKey(),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    kind: text({ enum: ['warm', 'silent'] }).notNull(),
    since: at().notNull(),
    endedAt: at(),
    /** Degrees, of a warm one. */
    peak: doublePrecision(),
    peakAt: at(),
    /** Hours above the limit in total by its end: 0, 2 or 4. */
    grade: integer().notNull().default(0),
    limitDegrees: real(),
    limitMinutes: real(),
    closedAt: at(),
    closedBy: text(),
    closeReason: text(),
    withdrawnAt: at(),
    /** Of a withdrawn one: the excursion that it became a part of. */
    mergedInto: text(),
    createdAt: moment(),
  },
  (t) => [
    uniqueIndex('excursions_of_box').on(t.boxId, t.kind, t.since).where(sql`withdrawn_at is null`),
    index('excursions_to_review').on(t.boxId).where(sql`closed_at is null and withdrawn_at is null`),
    index().on(t.closedAt, t.createdAt),
    // As they are listed, by state.
    index().on(t.createdAt, t.id),
    index('excursions_listed').on(t.createdAt, t.id).where(sql`closed_at is null and withdrawn_at is null`),
    index('excursions_withdrawn').on(t.createdAt, t.id).where(sql`withdrawn_at is not null`),
  ],
)

/** What managers noted of an excursion, and did about it. */
export const excursionNotes = pgTable(
  'excursion_notes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    excursionId: text()
      .notNull()
      .references(() => excursions.id),
    text: text().notNull(),
    /** Actor id. */
    who: text().notNull(),
    happenedAt: moment(),
  },
  (t) => [index().on(t.excursionId)],
)

/** How far a box's readings were followed, and what they left open (`Watch` of domain/src/excursions.ts). */
export const boxWatches = pgTable('box_watches', {
  boxId: text()
    .primaryKey()
    .references(() => boxes.id),
  /** Records up to this place. */
  seq: integer().notNull(),
  lastAt: at(),
  since: at(),
  peak: doublePrecision(),
  peakAt: at(),
  /** Null: followed by an older version of the shop, to be read anew. */
  warmMs: doublePrecision(),
  warmBeforeMs: doublePrecision(),
  isExcursion: boolean(),
  /** Its species and the alterations of its records then: with others, it is read anew. */
  species: text(),
  alterations: integer(),
})

/** Boxes that are to be followed, the oldest growth first. One that waits already keeps its place. */
export const watchQueue = pgTable(
  'watch_queue',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    boxId: text().notNull(),
    dueAt: moment(),
  },
  (t) => [index().on(t.dueAt, t.id), index().on(t.boxId)],
)

/** Limits of excursions that count now: of a species by its name in lower case, '' for all others. */
export const warmLimits = pgTable('warm_limits', {
  species: text().primaryKey(),
  degrees: real().notNull(),
  minutes: integer().notNull(),
})

/** What counted from when on; `degrees` and `minutes` are null where the limit was removed. */
export const warmLimitPeriods = pgTable(
  'warm_limit_periods',
  { species: text().notNull(), since: at().notNull(), degrees: real(), minutes: integer() },
  (t) => [primaryKey({ columns: [t.species, t.since] })],
)

/** Alerts of a box (`boxes.alerts`) that a manager has seen, by kind and time. */
export const seenAlerts = pgTable(
  'seen_alerts',
  {
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    kind: text().notNull(),
    /** RFC 3339, as the alert has it. */
    at: text().notNull(),
    /** Actor id. */
    who: text().notNull(),
    seenAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.boxId, t.kind, t.at] })],
)

/** Who is notified of excursions. `secret`: of a webhook, encrypted. */
export const noticeTargets = pgTable('notice_targets', {
  id: text().primaryKey(),
  kind: text({ enum: ['email', 'webhook'] }).notNull(),
  address: text().notNull(),
  secret: text(),
  createdBy: text().notNull(),
  createdAt: moment(),
  revokedAt: at(),
})

/** Notices of excursions, and whether they were delivered. The queue of emails knows more of those that go by email. */
export const noticeDeliveries = pgTable(
  'notice_deliveries',
  {
    id: text().primaryKey(),
    targetId: text()
      .notNull()
      .references(() => noticeTargets.id),
    excursionId: text()
      .notNull()
      .references(() => excursions.id),
    event: text({ enum: ['opened', 'ended', 'resumed', 'closed', 'reopened', 'withdrawn'] }).notNull(),
    /** Of a webhook: the body as it is signed and sent, each time the same. */
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    deliveredAt: at(),
    /** Given up. */
    failedAt: at(),
    /** It was withdrawn before it was sent. */
    cancelledAt: at(),
    lastError: text(),
    createdAt: moment(),
  },
  (t) => [index().on(t.excursionId), index().on(t.targetId, t.createdAt)],
)
