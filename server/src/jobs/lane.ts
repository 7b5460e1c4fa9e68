import type { Database } from '#server/db/client.ts'
import { newsOf } from '#server/db/signals.ts'
import { claim, untilNext } from './lease.ts'
import { JOBS_CHANNEL, jobsOf } from './queue.ts'
import { type JobHandlers, LEASE, type Log, runJob } from './run.ts'

/** The polling interval, for expired leases and missed notifications. */
const POLL_MS = 5_000
/** A job that this process enqueued and has not come to in this time is told to the others. */
const LATE_MS = 250

/**
 * Runs jobs of these queues, one after the other, in any number of processes. Of a job that this process enqueues it takes
 * care by itself: that every process asked for each of them would cost more than the jobs. Where it does not come to it
 * soon, and when it stops, it tells the others. It also asks when others tell it, every few seconds, and when the next
 * delayed job is due. Returns a function that stops it after the current job.
 */
export async function startWorker(
  database: Database,
  handlers: JobHandlers,
  log: Log,
  terms = LEASE,
): Promise<() => Promise<void>> {
  const { db } = database
  const queues = Object.keys(handlers)
  const stop = new AbortController()
  const { signal } = stop
  let isAsked = false
  let running: Promise<void> | undefined
  let soon: NodeJS.Timeout | undefined
  let late: NodeJS.Timeout | undefined

  const tellOthers = (): void => {
    late = undefined
    if (database.kind !== 'embedded') database.tell([newsOf(JOBS_CHANNEL, queues.join(','))])
  }
  const waits = (): void => {
    late ??= setTimeout(tellOthers, LATE_MS)
  }

  /** Runs what is due. Returns milliseconds until the next, where that is soon. */
  const runDue = async (): Promise<number | null> => {
    while (!signal.aborted) {
      isAsked = false
      const began = performance.now()
      const job = await claim(db, queues, terms.leaseS, POLL_MS)
      if (job === undefined) return isAsked ? 0 : untilNext(db, queues, POLL_MS)
      const { nextMs } = job
      if (nextMs !== null && nextMs <= 0) waits()
      const result = await runJob(db, job, handlers, log, signal, terms)
      if (result !== 'gone') isAsked = true // it waits, for this worker or for the others
      if (isAsked) continue
      const next = nextMs === null ? null : nextMs - (performance.now() - began)
      if (next === null || next > 0) return next
    }
    return null
  }

  const run = async (): Promise<void> => {
    try {
      const next = await runDue()
      clearTimeout(soon)
      if (next !== null && !signal.aborted) soon = setTimeout(ask, next)
      if (!signal.aborted) {
        clearTimeout(late)
        late = undefined
      }
    } catch (err) {
      log.error({ err }, 'job queue unreachable')
    }
    running = undefined
    if (isAsked) ask()
  }
  const ask = (): void => {
    isAsked = true
    if (!signal.aborted) running ??= run()
  }
  const takeOwn = (): boolean => {
    if (signal.aborted) return false
    if (running !== undefined) waits()
    ask()
    return true
  }

  const heard = (payload: string): void => {
    if (payload === '' || payload.split(',').some((queue) => queues.includes(queue))) ask()
  }
  const untaken = queues.map((queue) => database.takeOwn(jobsOf(queue), takeOwn))
  const unlisten = await database.listen(JOBS_CHANNEL, heard)
  const timer = setInterval(ask, POLL_MS)
  ask()
  return async () => {
    stop.abort()
    for (const end of untaken) end()
    clearInterval(timer)
    clearTimeout(soon)
    await unlisten()
    await running
    clearTimeout(late)
    if (isAsked || late !== undefined) tellOthers()
  }
}
