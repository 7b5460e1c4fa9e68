import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/db/client.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { currentSpan, traced } from '#server/tracing/trace.ts'
import {
  type AfterDone,
  claim,
  type Finished,
  fail,
  finish,
  type Job,
  MAX_ATTEMPTS,
  MAX_LOST_LEASES,
  release,
} from './lease.ts'
import { LeaseLost, type LeaseOptions, runWithLease } from './run-with-lease.ts'

/**
 * Runs one job. It may run twice, so it must be idempotent. An error has it retried; a `PermanentError` makes it fail
 * for good. `signal` is aborted on shutdown, when the job takes too long, and when another worker has its lease:
 * long-running work throws the signal's reason, and checks the signal before what must not be done twice. A function that
 * it returns notes what was done, in the transaction that ends the job.
 */
export type JobHandler = (
  payload: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<void> | Promise<AfterDone | undefined>
export type JobHandlers = Readonly<Record<string, JobHandler>>

export type Log = {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Thrown by a job that no retry can help: it fails for good at once, for a person to decide. */
export class PermanentError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PermanentError'
  }
}

/**
 * A crashed worker's lease lasts two minutes; a live one renews it. The timeout is far above what a slow mail server
 * needs for an email: some six replies, each within 30 s.
 */
export const LEASE: LeaseOptions = { leaseS: 120, timeoutS: 900 }
const FIRST_RETRY_S = 5
const MAX_RETRY_S = 6 * 3600

/** Seconds until attempt `attempts + 1`: 5 s, doubling, at most six hours. */
export const retryDelayS = (attempts: number): number =>
  Math.min(FIRST_RETRY_S * 2 ** Math.max(0, attempts - 1), MAX_RETRY_S)

/** Runs due jobs one after the other until none is left. Returns the number of finished ones. */
export async function runDueJobs(
  db: Db,
  handlers: JobHandlers,
  log: Log,
  signal: AbortSignal,
  terms = LEASE,
): Promise<number> {
  let done = 0
  const queues = Object.keys(handlers)
  if (queues.length === 0) return 0
  while (!signal.aborted) {
    const job = await claim(db, queues, terms.leaseS, 0)
    if (job === undefined) return done
    const result = await runJob(db, job, handlers, log, signal, terms)
    if (result === 'gone' || result === 'again') done++
  }
  return done
}

/** What became of an attempt: it was done, and the job is gone or waits again; or not; or another worker has the job. */
export type Attempted = Exclude<Finished, false> | 'not done' | 'lost'

/** Runs a claimed job, and notes what became of it. @throws when that can't be noted */
export async function runJob(
  db: Db,
  job: Job,
  handlers: JobHandlers,
  log: Log,
  signal: AbortSignal,
  terms = LEASE,
): Promise<Attempted> {
  const attributes = { 'befaqt.queue': job.queue, 'befaqt.job': job.id, 'befaqt.attempts': job.attempts }
  const result = await traced(`job ${job.queue}`, { kind: 'consumer', parent: job.trace, attributes }, () =>
    attempt(db, job, handlers, log, signal, terms),
  )
  if (result === 'lost')
    log.warn({ job: job.id, queue: job.queue }, 'lost the lease of a job to another worker')
  return result
}

async function attempt(
  db: Db,
  job: Job,
  handlers: JobHandlers,
  log: Log,
  stopping: AbortSignal,
  terms: LeaseOptions,
): Promise<Attempted> {
  let after: AfterDone | undefined
  try {
    if (job.isPoison) throw new PermanentError(POISON_JOB, undefined)
    after = await runWithLease(
      db,
      job,
      terms,
      stopping,
      async (signal) => (await handlers[job.queue]?.(job.payload, signal)) ?? undefined,
    )
  } catch (error) {
    if (error instanceof LeaseLost) return 'lost'
    const stopped = stopping.aborted && error === stopping.reason
    if (!stopped) currentSpan()?.fail(error)
    const note = stopped ? () => release(db, job) : failure(db, job, error, log)
    return (await whileLeased(note, terms, stopping)) ? 'not done' : 'lost'
  }
  const note = (): Promise<Finished> =>
    finish(db, job, after).catch((error: unknown) => {
      if (after === undefined || isDatabaseUnreachable(error)) throw error
      return failure(db, job, new PermanentError(NOT_NOTED, error), log)().then((noted) => noted && 'again')
    })
  return (await whileLeased(note, terms, stopping)) || 'lost'
}

const NOTE_AGAIN_MS = 500

/**
 * Notes what became of a job, again for as long as a lease lasts while the database is out of reach or out of
 * connections: a job that was done and never noted, an email for one, would be done twice.
 */
async function whileLeased<Noted>(
  note: () => Promise<Noted>,
  { leaseS }: LeaseOptions,
  stopping: AbortSignal,
): Promise<Noted> {
  const until = performance.now() + leaseS * 1000
  for (;;) {
    try {
      return await note()
    } catch (error) {
      if (!isDatabaseUnreachable(error) || stopping.aborted || performance.now() > until) throw error
      await sleep(NOTE_AGAIN_MS)
    }
  }
}

/** It fails for good, since it would be done twice. */
export const NOT_NOTED = 'It was done, but that could not be noted. The server’s log says why.'
const POISON_JOB = `Its worker crashed before it was done, ${MAX_LOST_LEASES} times.`

/** Logs that a job failed. Returns how to note it, with when it is tried again. */
function failure(db: Db, job: Job, error: unknown, log: Log): () => Promise<boolean> {
  const message = error instanceof Error ? error.message : String(error)
  const exhausted = job.attempts >= MAX_ATTEMPTS || job.isPoison
  log[exhausted ? 'error' : 'warn'](
    { job: job.id, queue: job.queue, attempts: job.attempts, err: error },
    'job failed',
  )
  const last = exhausted || error instanceof PermanentError
  return () => fail(db, job, { message, last, retryS: retryDelayS(job.attempts) })
}
