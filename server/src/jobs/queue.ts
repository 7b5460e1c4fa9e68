import { sql } from 'drizzle-orm'
import { type Db, notify, rows, type Tx } from '#server/db/client.ts'

/** Notifies workers of new jobs. */
export const JOBS_CHANNEL = 'jobs'

/**
 * Enqueues a job in the caller's transaction: it exists exactly when the change that needs it does.
 *
 * A queue holds one job for each `uniqueKey`. Enqueued again while that job waits, the new one is dropped: the waiting
 * one starts after the caller's commit, and sees its changes. While it runs, it is run once more with the new payload.
 * After it failed for good, it starts anew.
 * @param more `runAt`: the earliest start
 */
export async function enqueue(
  tx: Db | Tx,
  queue: string,
  payload: Record<string, unknown>,
  more: { runAt?: Date; uniqueKey?: string } = {},
): Promise<void> {
  await rows(
    tx,
    sql`insert into jobs (queue, payload, run_at, unique_key)
        values (${queue}, ${JSON.stringify(payload)}::jsonb, coalesce(${more.runAt?.toISOString() ?? null}::timestamptz, now()), ${more.uniqueKey ?? null})
        on conflict (queue, unique_key) do update
          set payload = excluded.payload, run_at = excluded.run_at, again = jobs.leased_until is not null,
            attempts = case when jobs.failed_at is null then jobs.attempts else 0 end,
            lost_leases = case when jobs.failed_at is null then jobs.lost_leases else 0 end,
            last_error = case when jobs.failed_at is null then jobs.last_error end, failed_at = null
          where jobs.leased_until is not null or jobs.failed_at is not null`,
  )
  await notify(tx, JOBS_CHANNEL, queue)
}
