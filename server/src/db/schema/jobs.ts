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

/** Work to be done after commit, written in the transaction that wants it. Claimed with SKIP LOCKED. */
export const jobs = pgTable(
  'jobs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    queue: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** One job of a queue has this key, whatever its state. */
    uniqueKey: text(),
    runAt: moment(),
    attempts: integer().notNull().default(0),
    /** Set while it runs, or since its worker died; another worker may claim it then. */
    leasedUntil: timestamp({ withTimezone: true }),
    /** Of the present claim: who does not know it any more may not end the job. */
    lease: uuid(),
    /** Claims whose worker neither ended the job nor gave it back. */
    lostLeases: integer().notNull().default(0),
    /** Asked for again while it ran: it is run once more. */
    again: boolean().notNull().default(false),
    lastError: text(),
    /** Set when tries are used up: an operator looks at it. */
    failedAt: timestamp({ withTimezone: true }),
    createdAt: moment(),
  },
  (t) => [index().on(t.failedAt, t.runAt), uniqueIndex().on(t.queue, t.uniqueKey)],
)
