import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Work to be done after commit, enqueued in the transaction that needs it. Claimed with SKIP LOCKED. */
export const jobs = pgTable(
  'jobs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    queue: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Unique within its queue, whatever the job's state. */
    uniqueKey: text(),
    runAt: moment(),
    attempts: integer().notNull().default(0),
    /** Set while it runs; after this time another worker may claim it. */
    leasedUntil: timestamp({ withTimezone: true }),
    /** Fencing token of the current claim: a worker without it may not finish the job. */
    lease: uuid(),
    /** Claims whose worker neither finished nor released the job. */
    lostLeases: integer().notNull().default(0),
    /** Enqueued again while it ran: it is run once more. */
    again: boolean().notNull().default(false),
    lastError: text(),
    /** Set when the attempts are used up, for an operator to check. */
    failedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
    /** Traceparent of what enqueued it, where that was recorded. */
    trace: text(),
  },
  (t) => [
    index().on(t.failedAt, t.runAt),
    index('jobs_that_wait').on(t.queue, t.runAt, t.id).where(sql`${t.failedAt} is null`),
    uniqueIndex().on(t.queue, t.uniqueKey),
    index('jobs_that_failed').on(t.queue, t.id).where(sql`${t.lastError} is not null`),
  ],
)
