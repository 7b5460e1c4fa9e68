import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { ReplicaState } from './replica.ts'
import type { schema } from './schema/index.ts'
import type { StandbyWatch } from './standbys.ts'

/** The query builder, the same over PostgreSQL and the embedded database. Inside a transaction, its `tx`. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** The parameter of `db.transaction`'s function: for functions that need their caller's transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** For a transaction whose queries have to read the same state, as the records of a box and its anchors. */
export const ONE_MOMENT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

/**
 * As `ONE_MOMENT`, for reads that may be long: where there is a replica it answers, if it has all that was committed
 * before. The work may run again, at the primary. Not for what a write, a right or money follows from.
 */
export const FROM_REPLICA = { ...ONE_MOMENT } as const

/** Passed to work that only one process may do. */
export type Leadership = {
  /** Aborted as soon as this process knows that another may be the leader. */
  readonly lost: AbortSignal
  /**
   * Call it inside a transaction that only a leader may write: a process that was paused may not know yet that another
   * is the leader. Rejects with LeadershipLost.
   */
  check(tx: Db | Tx): Promise<void>
}

/** Connections of a pool, and the number of callers waiting for one. */
export type PoolCounts = { total: number; idle: number; waiting: number }

/** An open database: queries, notifications and leader election. */
export type Database = {
  readonly db: Db
  readonly kind: 'postgres' | 'embedded'
  /**
   * Calls `onNotify` for every notification on `channel`, from any process, and with '' after a lost connection, where some
   * may have been missed: it says that something may be so, never that it is. Returns a function that unsubscribes.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /**
   * Tells whoever listens, in all processes, that something was committed: soon, and together with what else is told.
   * Transactions do so by `tellAfterCommit`.
   * @param news channels, with a payload where `newsOf` gave them one
   */
  tell(news: Iterable<string>): void
  /**
   * Hands this news, when a transaction of this process has it, to `take`: the other processes are told only where that
   * returns false. One at a time takes it. Returns a function that ends it.
   */
  takeOwn(news: string, take: () => boolean): () => void
  /** Runs `work` as the leader for `key`. Returns false at once when another process is the leader. */
  withLeadership(key: number, work: (leadership: Leadership) => Promise<void>): Promise<boolean>
  /** Seconds since the last heartbeat of the leader for `key`, in any process; null: there is none. */
  leaderSilence(key: number): Promise<number | null>
  /** For which of `count` keys from `first` on there is a leader, in any process: their numbers from 0, in order. */
  led(first: number, count: number): Promise<number[]>
  /** Is this process the leader for `key`, as far as it knows? */
  leads(key: number): boolean
  /** Does it answer a question beside all others within `ms`? For a caller whose own has waited for long. */
  answers(ms: number): Promise<boolean>
  /** Cancels what the session `pid` runs; undefined: nothing can be cancelled. Source: PostgreSQL, pg_cancel_backend. */
  readonly cancel?: (pid: number, onReplica?: boolean) => Promise<void>
  /** The replica that answers reads; undefined without one. */
  readonly replica?: { look(): Promise<ReplicaState> }
  /** Its standbys; undefined: it can have none. */
  readonly standbys?: StandbyWatch
  /** The current state of the pool; undefined without one. */
  pool(): PoolCounts | undefined
  close(): Promise<void>
}

/** Rows of a hand-written query. The caller declares the row's type; values are as the driver returns them. */
export async function rows<Row extends Record<string, unknown>>(db: Db | Tx, query: SQL): Promise<Row[]> {
  const result = (await db.execute(query)) as { rows: Row[] }
  return result.rows
}

/** Sends `payload` on `channel` when the surrounding transaction commits. Source: PostgreSQL NOTIFY. */
export const notify = (db: Db | Tx, channel: string, payload: string): Promise<unknown> =>
  rows(db, sql`select pg_notify(${channel}, ${payload})`)
