import { sql } from 'drizzle-orm'
import { tellAfterCommit } from '#server/db/after-commit.ts'
import { type Db, notify, rows, type Tx } from '#server/db/client.ts'
import { newsOf } from '#server/db/signals.ts'
import { currentSpan } from '#server/tracing/trace.ts'

/** Tells workers that there are new jobs: of the queue that its payload names, of several with commas, or of any. */
export const JOBS_CHANNEL = 'jobs'

/** News of jobs of a queue, when a transaction has some. */
export const jobsOf = (queue: string): string => newsOf(JOBS_CHANNEL, queue)

/** Tells workers of new jobs of a queue, when the caller's transaction is committed; else now. */
export async function tellWorkers(tx: Db | Tx, queue: string): Promise<void> {
  if (!tellAfterCommit(jobsOf(queue))) await notify(tx, JOBS_CHANNEL, queue)
}

/**
 * Enqueues a job in the caller's transaction: it exists exactly when the change that needs it does.
 *
 * A queue holds one job for each `uniqueKey`, and the newest request counts: a job that waits, for its time or for its
 * retry, takes the time and payload of the new one and all attempts again. While it runs, it is run once more with the
 * new payload. After it failed for good, it starts anew.
 * @param more `runAt`, or `delayMs` from now by the database's clock: the earliest start
 */
export const enqueue = (
  tx: Db | Tx,
  queue: string,
  payload: NewJob['payload'],
  more: Omit<NewJob, 'payload'> = {},
): Promise<void> => enqueueAll(tx, queue, [{ payload, ...more }])

export type NewJob = {
  payload: Record<string, unknown>
  runAt?: Date
  delayMs?: number
  uniqueKey?: string
}

/**
 * Of a job that runs every `periodMs`: the key of its next run, the same in all processes, and how long until then. A
 * moment of this process's clock would be due too early or too late where that differs from the database's.
 */
export function nextRun(now: Date, periodMs: number): { uniqueKey: string; delayMs: number } {
  const at = Math.ceil(now.getTime() / periodMs) * periodMs
  return { uniqueKey: new Date(at).toISOString(), delayMs: at - now.getTime() }
}

/** As `enqueue`, for jobs with different keys, in one statement. */
export async function enqueueAll(tx: Db | Tx, queue: string, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await rows(
    tx,
    sql`insert into jobs (queue, payload, run_at, unique_key, trace)
        select ${queue}, j.payload,
          coalesce(j."runAt", now()) + coalesce(j."delayMs", 0) * interval '1 millisecond', j."uniqueKey",
          ${currentSpan()?.traceparent ?? null}::text
        from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb)
          as j(payload jsonb, "runAt" timestamptz, "delayMs" float8, "uniqueKey" text)
        on conflict (queue, unique_key) do update
          set payload = excluded.payload, run_at = excluded.run_at, trace = excluded.trace, again = jobs.leased_until is not null,
            attempts = case when jobs.leased_until is null then 0 else jobs.attempts end,
            lost_leases = case when jobs.leased_until is null then 0 else jobs.lost_leases end,
            last_error = case when jobs.leased_until is null then null else jobs.last_error end, failed_at = null`,
  )
  await tellWorkers(tx, queue)
}
