import type { Db } from '#server/db/client.ts'
import { type Job, renew } from './lease.ts'

/** How long a lease lasts without renewal, and how long any job may take, in seconds. */
export type LeaseOptions = { leaseS: number; timeoutS: number }

/** The reason of a job's abort signal when another worker has its lease, and with it the rest of the work. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has the lease of this job')
    this.name = 'LeaseLost'
  }
}

/** The job exceeded the time limit. */
class JobTimeout extends Error {
  constructor(timeoutS: number) {
    super(`It was not done within ${timeoutS} seconds.`)
    this.name = 'JobTimeout'
  }
}

/**
 * Runs a job while renewing its lease, for at most `timeoutS` seconds. Work that ignores its abort signal is abandoned,
 * so that the queue goes on.
 * @throws LeaseLost, JobTimeout, the reason of `stopping`, or what the work throws
 */
export async function runWithLease<Result>(
  db: Db,
  job: Job,
  { leaseS, timeoutS }: LeaseOptions,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const end = (reason: Error): void => {
    ending.abort(reason)
    over.reject(reason)
  }
  let leasedUntil = performance.now() + leaseS * 1000
  const renewing = setInterval(
    () => {
      const asked = performance.now()
      renew(db, job, leaseS).then(
        (held) => {
          if (held) leasedUntil = asked + leaseS * 1000
          else end(new LeaseLost())
        },
        () => {
          if (performance.now() > leasedUntil) end(new LeaseLost()) // the database was unreachable until the lease expired
        },
      )
    },
    (leaseS * 1000) / 3,
  )
  const limit = setTimeout(() => end(new JobTimeout(timeoutS)), timeoutS * 1000)
  try {
    return await Promise.race([work(signal), over.promise])
  } finally {
    clearInterval(renewing)
    clearTimeout(limit)
  }
}
