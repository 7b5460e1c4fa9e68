import { sql } from 'drizzle-orm'
import { type Db, notify, rows, type Tx } from '#server/db/client.ts'

/** Notification that says: there is new work. */
export const JOBS_CHANNEL = 'jobs'

/**
 * Writes a job in the caller's transaction: it exists exactly when the change that wants it does.
 * @param more `runAt`: not before; `uniqueKey`: at most one open job of the queue has it, a second is dropped
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
        on conflict (queue, unique_key) do nothing`,
  )
  await notify(tx, JOBS_CHANNEL, queue)
}
