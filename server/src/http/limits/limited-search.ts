import { availableParallelism } from 'node:os'
import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import { type Database, type Db, FROM_REPLICA, rows, type Tx } from '#server/db/client.ts'
import { sqlState } from '#server/db/sql-errors.ts'
import { concurrencyLimiter } from './concurrency-limiter.ts'

/** Who searches: visitors can't keep managers waiting, nor the other way round. */
export type Searcher = 'visitors' | 'managers'

/**
 * Runs a search, which may read much, on one of the few connections for such reads of its kind.
 * @param signal cancels it in the database, as when nobody waits for it any more
 * @throws ShopError `rate.limited` when too many wait already, `unavailable` when it took too long
 */
export type Search = <Made>(
  who: Searcher,
  work: (db: Db) => Promise<Made>,
  signal?: AbortSignal,
) => Promise<Made>

/**
 * Searches of one kind at a time, of the ten connections of a process. Where there are two processors, one is left to
 * everything else, as to checking the passwords of who signs in.
 */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1
/** The server cancels one after this. */
const LIMIT_MS = 5_000
/** Further ones that wait. The last of them waits for as long as a page may take. */
const MAX_WAITING = 8 - AT_ONCE

/** SQLSTATE query_canceled. Source: PostgreSQL, appendix A. */
const CANCELED = '57014'

/** On the embedded database, which has one connection and cancels nothing, one search at a time of each kind. */
export function limitedSearch({ db, cancel }: Pick<Database, 'db' | 'cancel'>): Search {
  const limiter = concurrencyLimiter(
    { maxConcurrent: cancel === undefined ? 1 : AT_ONCE, maxWaiting: MAX_WAITING, slotMs: 4 * LIMIT_MS },
    () =>
      new ShopError('rate.limited', 'Too many searches at once. Please try again in a moment.', {
        details: { retryAfterS: 2 },
      }),
  )
  return (who, work, signal) =>
    limiter(who, async () => {
      signal?.throwIfAborted()
      if (cancel === undefined) return work(db)
      try {
        return await db.transaction(
          (tx) => cancellable(tx, cancel, () => work(tx as Db), signal),
          FROM_REPLICA,
        )
      } catch (error) {
        if (sqlState(error) !== CANCELED) throw error
        throw new ShopError('unavailable', 'This search took too long. Please search for something rarer.', {
          details: { retryAfterS: 5 },
          cause: error,
        })
      }
    })
}

async function cancellable<Made>(
  tx: Tx,
  cancel: NonNullable<Database['cancel']>,
  work: () => Promise<Made>,
  signal: AbortSignal | undefined,
): Promise<Made> {
  const [session] = await rows<{ pid: number; standby: boolean }>(
    tx,
    sql`select pg_backend_pid() as pid, pg_is_in_recovery() as standby, set_config('statement_timeout', ${`${LIMIT_MS}`}, true)`,
  )
  let cancelling: Promise<unknown> = Promise.resolve()
  const onAbort = (): void => {
    cancelling = cancel(session?.pid ?? 0, session?.standby).catch(() => undefined) // the limit ends it then
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    signal?.throwIfAborted()
    return await work()
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await cancelling // it must not meet the next statement of this connection
  }
}
