import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Work to be done after commit, written in the transaction that wants it. Claimed with SKIP LOCKED. */
export const jobs = pgTable(
  'jobs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    queue: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** At most one open job of a queue has this key. */
    uniqueKey: text(),
    runAt: moment(),
    attempts: integer().notNull().default(0),
    leasedUntil: timestamp({ withTimezone: true }),
    lastError: text(),
    /** Set when tries are used up: an operator looks at it. */
    failedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
  },
  (t) => [index().on(t.failedAt, t.runAt), uniqueIndex().on(t.queue, t.uniqueKey)],
)
