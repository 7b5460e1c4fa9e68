import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'

/** A job that this worker has claimed. `lease` is the token that ends it. */
export type Job = {
  id: number
  queue: string
  payload: Record<string, unknown>
  attempts: number
  lease: string
  /** Its workers ended without a word so often that it may be what ends them: it is to be given up, not begun. */
  endsWorkers: boolean
}

/** Tries that fail before a job is given up: two days of growing waits. */
export const MAX_ATTEMPTS = 20
/** Claims that end with their worker before a job is given up: it may be what ends them. */
export const MAX_LOST_LEASES = 5

/** Claims one due job for `leaseS` seconds, or answers undefined. Two workers never hold the same. */
export async function claim(db: Db, queues: string[], leaseS: number): Promise<Job | undefined> {
  const claimed = await rows<Job>(
    db,
    sql`update jobs set attempts = attempts + 1, lost_leases = lost_leases + (leased_until is not null)::int,
          lease = gen_random_uuid(), leased_until = now() + ${leaseS} * interval '1 second'
        where id = (
          select id from jobs
          where failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())
            and queue in ${queues}
          order by run_at, id limit 1 for update skip locked)
        returning id, queue, payload, attempts, lease::text, lost_leases >= ${MAX_LOST_LEASES} as "endsWorkers"`,
  )
  return claimed[0]
}

const held = ({ id, lease }: Job) => sql`id = ${id} and lease = ${lease}::uuid`

/** Every function below answers false, and changes nothing, when the lease is another worker's by now. */
const changed = async (found: Promise<unknown[]>): Promise<boolean> => (await found).length > 0

/** Holds the job for `leaseS` seconds from now on. */
export const renew = (db: Db, job: Job, leaseS: number): Promise<boolean> =>
  changed(
    rows(
      db,
      sql`update jobs set leased_until = now() + ${leaseS} * interval '1 second' where ${held(job)} returning id`,
    ),
  )

/** The job is done. Asked for again meanwhile, it stays, as a new one. */
export const finish = async (db: Db, job: Job): Promise<boolean> =>
  (await changed(rows(db, sql`delete from jobs where ${held(job)} and not again returning id`))) ||
  changed(
    rows(
      db,
      sql`update jobs set lease = null, leased_until = null, again = false, attempts = 0, lost_leases = 0,
            last_error = null
          where ${held(job)} returning id`,
    ),
  )

/** As if it had never been claimed: to be told to end is no failure. */
export const putBack = (db: Db, job: Job): Promise<boolean> =>
  changed(
    rows(
      db,
      sql`update jobs set lease = null, leased_until = null, again = false, attempts = attempts - 1
          where ${held(job)} returning id`,
    ),
  )

/** The job failed: it is tried again in `retryS` seconds, or given up when this was its last try. */
export const fail = (
  db: Db,
  job: Job,
  { message, last, retryS }: { message: string; last: boolean; retryS: number },
): Promise<boolean> =>
  changed(
    rows(
      db,
      sql`update jobs set lease = null, leased_until = null, again = false, last_error = ${message.slice(0, 2_000)},
            run_at = case when again then run_at else now() + ${retryS} * interval '1 second' end,
            attempts = case when again then 0 else attempts end,
            lost_leases = case when ${last} and not again then lost_leases else 0 end,
            failed_at = case when ${last} and not again then now() end
          where ${held(job)} returning id`,
    ),
  )
