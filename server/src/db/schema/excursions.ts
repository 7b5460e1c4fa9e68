import { index, integer, pgTable, real, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { boxes } from './boxes.ts'
import { moment } from './columns.ts'

const at = () => timestamp({ withTimezone: true })

/** Alerts about boxes that managers work through. `endedAt`: it ended by itself; `closedAt`: a manager closed it. */
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
    peak: real(),
    peakAt: at(),
    limitDegrees: real(),
    limitMinutes: real(),
    closedAt: at(),
    closedBy: text(),
    closeReason: text(),
    createdAt: moment(),
  },
  (t) => [uniqueIndex().on(t.boxId, t.kind, t.since), index().on(t.closedAt, t.createdAt)],
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
  peak: real(),
  peakAt: at(),
})

/** Limits of excursions: of a species by its name in lower case, '' for all others. */
export const warmLimits = pgTable('warm_limits', {
  species: text().primaryKey(),
  degrees: real().notNull(),
  minutes: integer().notNull(),
})

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

/** Webhook messages, and whether they were delivered. */
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
    event: text({ enum: ['opened', 'ended', 'closed'] }).notNull(),
    /** The body as it is signed and sent, each time the same. */
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    deliveredAt: at(),
    /** Given up. */
    failedAt: at(),
    lastError: text(),
    createdAt: moment(),
  },
  (t) => [index().on(t.excursionId), index().on(t.targetId, t.createdAt)],
)
