import type { Database, Db } from '#server/db/client.ts'
import { holding, type JobTerms, LeaseLost } from './hold.ts'
import { claim, fail, finish, type Job, MAX_ATTEMPTS, MAX_LOST_LEASES, putBack } from './lease.ts'
import { JOBS_CHANNEL } from './queue.ts'

/**
 * Does one job. May run twice for the same job, so the second run must be harmless. Throw to have it tried again, a
 * `FinalFailure` to have it given up. `signal` is aborted when the worker is to end, when the job took too long, and
 * when another worker has it by now: work that takes long throws the signal's reason, and what it must not do twice
 * it asks the signal before.
 */
export type JobHandler = (payload: Record<string, unknown>, signal: AbortSignal) => Promise<void>
export type JobHandlers = Readonly<Record<string, JobHandler>>

type Log = { warn(details: object, message: string): void; error(details: object, message: string): void }

/** Thrown by a job that no waiting mends: it is given up at once, for a person to decide. */
export class FinalFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'FinalFailure'
  }
}

/**
 * A worker that dies keeps its job for two minutes; one that lives renews its lease. The limit is far above what a
 * slow mail server takes for a letter: some six answers, each within 30 s.
 */
const TERMS: JobTerms = { leaseS: 120, limitS: 900 }
const FIRST_RETRY_S = 5
const LONGEST_RETRY_S = 6 * 3600

/** Seconds until attempt `attempts + 1`: 5 s, doubling, at most six hours. */
export const retryDelayS = (attempts: number): number =>
  Math.min(FIRST_RETRY_S * 2 ** Math.max(0, attempts - 1), LONGEST_RETRY_S)

/** Runs due jobs one after the other until none is left. Answers how many were done. */
export async function runDueJobs(
  db: Db,
  handlers: JobHandlers,
  log: Log,
  signal: AbortSignal,
  terms = TERMS,
): Promise<number> {
  let done = 0
  const queues = Object.keys(handlers)
  if (queues.length === 0) return 0
  while (!signal.aborted) {
    const job = await claim(db, queues, terms.leaseS)
    if (job === undefined) return done
    const result = await attempt(db, job, handlers, log, signal, terms)
    if (result === 'done') done++
    if (result === 'lost') log.warn({ job: job.id, queue: job.queue }, 'another worker has this job by now')
  }
  return done
}

async function attempt(
  db: Db,
  job: Job,
  handlers: JobHandlers,
  log: Log,
  stopping: AbortSignal,
  terms: JobTerms,
): Promise<'done' | 'not done' | 'lost'> {
  try {
    if (job.endsWorkers) throw new FinalFailure(WORKERS_ENDED, undefined)
    await holding(db, job, terms, stopping, async (signal) => handlers[job.queue]?.(job.payload, signal))
  } catch (error) {
    if (error instanceof LeaseLost) return 'lost'
    const stopped = stopping.aborted && error === stopping.reason
    return (await (stopped ? putBack(db, job) : giveBack(db, job, error, log))) ? 'not done' : 'lost'
  }
  return (await finish(db, job)) ? 'done' : 'lost'
}

const WORKERS_ENDED = `Whoever worked on it ended before it was done, ${MAX_LOST_LEASES} times.`

function giveBack(db: Db, job: Job, error: unknown, log: Log): Promise<boolean> {
  const message = error instanceof Error ? error.message : String(error)
  const usedUp = job.attempts >= MAX_ATTEMPTS || job.endsWorkers
  log[usedUp ? 'error' : 'warn'](
    { job: job.id, queue: job.queue, attempts: job.attempts, err: error },
    'job failed',
  )
  const last = usedUp || error instanceof FinalFailure
  return fail(db, job, { message, last, retryS: retryDelayS(job.attempts) })
}

/** How often to look without having been told: delayed jobs and broken leases. */
const LOOK_AGAIN_MS = 5_000

/** Works until stopped: at every notification, and every few seconds. Answers a function that ends after the current job. */
export async function startWorker(
  database: Database,
  handlers: JobHandlers,
  log: Log,
  terms = TERMS,
): Promise<() => Promise<void>> {
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let wanted = false
  const look = (): void => {
    if (wanted || stop.signal.aborted) return
    wanted = true
    running = running.then(async () => {
      wanted = false
      await runDueJobs(database.db, handlers, log, stop.signal, terms).catch((err) =>
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
