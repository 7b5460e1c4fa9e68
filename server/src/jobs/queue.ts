import { sql } from 'drizzle-orm'
import { type Db, notify, rows, type Tx } from '#server/db/client.ts'

/** Notification that says: there is new work. */
export const JOBS_CHANNEL = 'jobs'

/**
 * Writes a job in the caller's transaction: it exists exactly when the change that wants it does.
 *
 * Of one `uniqueKey` a queue holds one job. Asked for again while that one waits, it is dropped: the one that waits
 * begins after the caller's commit, and sees what it did. While that one runs, it is run once more with the new
 * payload. After it was given up it is begun anew.
 * @param more `runAt`: not before
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
