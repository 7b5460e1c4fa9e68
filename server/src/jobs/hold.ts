import type { Db } from '#server/db/client.ts'
import { type Job, renew } from './lease.ts'

/** How long a worker that is silent keeps its job, and how long any job may take, in seconds. */
export type JobTerms = { leaseS: number; limitS: number }

/** The reason of a job's signal when another worker has its lease: whatever it did not do is that one's. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has this job by now')
    this.name = 'LeaseLost'
  }
}

/** The job took longer than any may. */
class TookTooLong extends Error {
  constructor(limitS: number) {
    super(`It was not done within ${limitS} seconds.`)
    this.name = 'TookTooLong'
  }
}

/**
 * Runs the work of a job while renewing its lease, for at most `limitS` seconds. Work that hears its signal ends by
 * itself; what does not is left behind, so that the queue goes on.
 * @throws LeaseLost, TookTooLong, the reason of `stopping`, or what the work throws
 */
export async function holding(
  db: Db,
  job: Job,
  { leaseS, limitS }: JobTerms,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const end = (reason: Error): void => {
    ending.abort(reason)
    over.reject(reason)
  }
  let heldUntil = performance.now() + leaseS * 1000
  const renewing = setInterval(
    () => {
      const asked = performance.now()
      renew(db, job, leaseS).then(
        (held) => {
          if (held) heldUntil = asked + leaseS * 1000
          else end(new LeaseLost())
        },
        () => {
          if (performance.now() > heldUntil) end(new LeaseLost()) // the database is away for longer than we hold it
        },
      )
    },
    (leaseS * 1000) / 3,
  )
  const limit = setTimeout(() => end(new TookTooLong(limitS)), limitS * 1000)
  try {
    await Promise.race([work(signal), over.promise])
  } finally {
    clearInterval(renewing)
    clearTimeout(limit)
  }
}
