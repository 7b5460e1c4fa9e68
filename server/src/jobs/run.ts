import { sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { JOBS_CHANNEL } from './queue.ts'

/**
 * Does one job. May run twice for the same job, so the second run must be harmless. Throw to have it tried again, a
 * `FinalFailure` to have it given up. When `signal` is aborted the worker is to end: work that takes long may throw the
 * signal's reason, and is begun again by another worker.
 */
export type JobHandler = (payload: Record<string, unknown>, signal: AbortSignal) => Promise<void>
export type JobHandlers = Readonly<Record<string, JobHandler>>

type Job = { id: number; queue: string; payload: Record<string, unknown>; attempts: number }
type Log = { warn(details: object, message: string): void; error(details: object, message: string): void }

/** Thrown by a job that no waiting mends: it is given up at once, for a person to decide. */
export class FinalFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'FinalFailure'
  }
}

/** A worker that dies keeps its job for this long; then another takes it. */
const LEASE_S = 120
/** Two days of growing waits. */
const MAX_ATTEMPTS = 20
const FIRST_RETRY_S = 5
const LONGEST_RETRY_S = 6 * 3600

/** Seconds until attempt `attempts + 1`: 5 s, doubling, at most six hours. */
export const retryDelayS = (attempts: number): number =>
  Math.min(FIRST_RETRY_S * 2 ** Math.max(0, attempts - 1), LONGEST_RETRY_S)

/** Claims one due job, or answers undefined. Two workers never claim the same. */
async function claim(db: Db, queues: string[]): Promise<Job | undefined> {
  const claimed = await rows<Job>(
    db,
    sql`update jobs set attempts = attempts + 1, leased_until = now() + ${LEASE_S} * interval '1 second'
        where id = (
          select id from jobs
          where failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())
            and queue in ${queues}
          order by run_at, id limit 1 for update skip locked)
        returning id, queue, payload, attempts`,
  )
  return claimed[0]
}

/** Runs due jobs one after the other until none is left. Answers how many were done. */
export async function runDueJobs(
  db: Db,
  handlers: JobHandlers,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  let done = 0
  const queues = Object.keys(handlers)
  if (queues.length === 0) return 0
  while (!signal.aborted) {
    const job = await claim(db, queues)
    if (job === undefined) return done
    if (await attempt(db, job, handlers, log, signal)) done++
  }
  return done
}

async function attempt(
  db: Db,
  job: Job,
  handlers: JobHandlers,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await handlers[job.queue]?.(job.payload, signal)
    await rows(db, sql`delete from jobs where id = ${job.id}`)
    return true
  } catch (error) {
    if (signal.aborted && error === signal.reason) await putBack(db, job)
    else await giveBack(db, job, error, log)
    return false
  }
}

/** As if it had never been claimed: to be told to end is no failure. */
const putBack = (db: Db, { id }: Job): Promise<unknown> =>
  rows(db, sql`update jobs set leased_until = null, attempts = attempts - 1 where id = ${id}`)

async function giveBack(db: Db, job: Job, error: unknown, log: Log): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  const usedUp = job.attempts >= MAX_ATTEMPTS
  const last = usedUp || error instanceof FinalFailure
  log[usedUp ? 'error' : 'warn'](
    { job: job.id, queue: job.queue, attempts: job.attempts, err: error },
    'job failed',
  )
  await rows(
    db,
    sql`update jobs set leased_until = null, last_error = ${message.slice(0, 2_000)},
          run_at = now() + ${retryDelayS(job.attempts)} * interval '1 second',
          failed_at = case when ${last} then now() end
        where id = ${job.id}`,
  )
}

/** How often to look without having been told: delayed jobs and broken leases. */
const LOOK_AGAIN_MS = 5_000

/** Works until stopped: at every notification, and every few seconds. Answers a function that ends after the current job. */
export async function startWorker(
  database: Database,
  handlers: JobHandlers,
  log: Log,
): Promise<() => Promise<void>> {
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let wanted = false
  const look = (): void => {
    if (wanted || stop.signal.aborted) return
    wanted = true
    running = running.then(async () => {
      wanted = false
      await runDueJobs(database.db, handlers, log, stop.signal).catch((err) =>
        log.error({ err }, 'job queue unreachable'),
      )
    })
  }
  const deaf = await database.listen(JOBS_CHANNEL, look)
  const timer = setInterval(look, LOOK_AGAIN_MS)
  look()
  return async () => {
    stop.abort()
    clearInterval(timer)
    await deaf()
    await running
  }
}
