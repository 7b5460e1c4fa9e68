import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { schema } from './schema/index.ts'

/** The query builder, the same over PostgreSQL and the embedded database. Inside a transaction, its `tx`. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** What `db.transaction` hands to its function; take this where a caller's transaction is required. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** Being the one process that does something. */
export type Leadership = {
  /** Aborted as soon as this process knows that another may lead. */
  readonly lost: AbortSignal
  /**
   * To be called inside the transaction of what only a leader may write: a process that was stopped for long does not
   * know yet that another leads. Rejects with LeadershipLost.
   */
  check(tx: Db | Tx): Promise<void>
}

/** Connections of a pool, and how many callers wait for one. */
export type PoolCounts = { total: number; idle: number; waiting: number }

/** An opened database with what is needed beside queries. */
export type Database = {
  readonly db: Db
  readonly kind: 'postgres' | 'embedded'
  /** Calls `heard` for every notification on `channel`, from any process. Answers a function that stops it. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  /** Runs `work` as the one leader for `key`, or answers false at once when another process is it. */
  withLeadership(key: number, work: (leadership: Leadership) => Promise<void>): Promise<boolean>
  /** Seconds since the leader for `key`, in whichever process, gave a sign of life; null: there is none. */
  leaderSilence(key: number): Promise<number | null>
  /** Is this process the leader for `key`, as far as it knows? */
  leads(key: number): boolean
  /** The pool as it is now; undefined where there is none. */
  pool(): PoolCounts | undefined
  close(): Promise<void>
}

/** Rows of a hand-written query. The caller names the row's shape; columns arrive as the driver gives them. */
export async function rows<Row extends Record<string, unknown>>(db: Db | Tx, query: SQL): Promise<Row[]> {
  const result = (await db.execute(query)) as { rows: Row[] }
  return result.rows
}

/** Sends `payload` on `channel` when the surrounding transaction commits. Source: PostgreSQL NOTIFY. */
export const notify = (db: Db | Tx, channel: string, payload: string): Promise<unknown> =>
  rows(db, sql`select pg_notify(${channel}, ${payload})`)
