import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'

/** A job that this worker has claimed. `lease` is the fencing token that is needed to finish it. */
export type Job = {
  id: number
  queue: string
  payload: Record<string, unknown>
  attempts: number
  lease: string
  /** Traceparent of what enqueued it, where that was recorded. */
  trace: string | null
  /** Its workers crashed so often that it may be the cause: it fails for good without being run. */
  isPoison: boolean
}

/** Attempts before a job fails for good: two days of growing delays. */
export const MAX_ATTEMPTS = 20
/** Leases lost to crashes before a job counts as poison. */
export const MAX_LOST_LEASES = 5

/** A claimed job, and milliseconds until the next one that waits is due within the time asked for, 0 or less: now. */
export type Claimed = Job & { nextMs: number | null }

/** Of a queue's due jobs one of so many is claimed, the first that no other worker is just claiming. */
const HEADS = 16

/** SQL: of each of these queues its first rows `n` that meet a condition, of those that have not failed for good. */
const headsOf = (queues: readonly string[], condition: SQL, most: number): SQL =>
  sql`unnest(${sql.param([...queues])}::text[]) q(queue) cross join lateral (
    select n.id, n.run_at from jobs n
    where n.queue = q.queue and n.failed_at is null and ${condition}
    order by n.run_at, n.id limit ${most}) head`

const isFree = (row: SQL): SQL => sql`(${row}.leased_until is null or ${row}.leased_until < now())`

/**
 * Claims one due job for `leaseS` seconds; undefined when none is due. Two workers never claim the same. It says, too, when
 * the next is due: a worker that had to ask would ask twice for each job that comes alone. However many wait, it reads the
 * first ones of each queue.
 */
export async function claim(
  db: Db,
  queues: string[],
  leaseS: number,
  withinMs: number,
): Promise<Claimed | undefined> {
  const claimed = await rows<Claimed>(
    db,
    sql`update jobs set attempts = attempts + 1, lost_leases = lost_leases + (leased_until is not null)::int,
          lease = gen_random_uuid(), leased_until = now() + ${leaseS} * interval '1 second'
        where id = (
          select j.id from ${headsOf(queues, sql`n.run_at <= now() and ${isFree(sql`n`)}`, HEADS)}
            join jobs j on j.id = head.id
          where j.failed_at is null and j.run_at <= now() and ${isFree(sql`j`)}
          order by j.run_at, j.id limit 1 for update of j skip locked)
        returning id, queue, payload, attempts, lease::text, trace, lost_leases >= ${MAX_LOST_LEASES} as "isPoison", (
          select ceil(extract(epoch from min(head.run_at) - clock_timestamp()) * 1000)::float8
          from ${headsOf(
            queues,
            sql`n.leased_until is null and n.id <> jobs.id
              and n.run_at < now() + ${withinMs} * interval '1 millisecond'`,
            1,
          )}) as "nextMs"`,
  )
  return claimed[0]
}

/** A job that is due for less than this may have become due since none was found. */
const JUST_DUE = sql`interval '1 second'`
/** How soon a worker looks again for what became due while it looked. */
const JUST_DUE_MS = 20

/**
 * Milliseconds until the next job of these queues that is due within `withinMs`, of those that a claim found not due; null:
 * none is. Of what is due for longer and was not claimed, its claim by another worker is under way.
 */
export async function untilNext(db: Db, queues: string[], withinMs: number): Promise<number | null> {
  if (queues.length === 0) return null
  const [next] = await rows<{ ms: number | null }>(
    db,
    sql`select ceil(extract(epoch from min(run_at) - clock_timestamp()) * 1000)::float8 as ms from jobs
        where failed_at is null and leased_until is null and queue in ${queues}
          and run_at > now() - ${JUST_DUE} and run_at < now() + ${withinMs} * interval '1 millisecond'`,
  )
  return next?.ms == null ? null : Math.max(JUST_DUE_MS, next.ms)
}

const held = ({ id, lease }: Job) => sql`id = ${id} and lease = ${lease}::uuid`

/** Every function below returns false, and changes nothing, when another worker has the lease. */
const changed = async (found: Promise<unknown[]>): Promise<boolean> => (await found).length > 0

/** Renews the lease for `leaseS` seconds from now on. */
export const renew = (db: Db, job: Job, leaseS: number): Promise<boolean> =>
  changed(
    rows(
      db,
      sql`update jobs set leased_until = now() + ${leaseS} * interval '1 second' where ${held(job)} returning id`,
    ),
  )

/** Work that is committed together with the end of a job. */
export type AfterDone = (tx: Tx) => Promise<unknown>

/** What becomes of a job that is done: it is gone, or was enqueued meanwhile and waits again, or is another worker's. */
export type Finished = 'gone' | 'again' | false

/** Deletes a finished job, or queues it again when it was enqueued meanwhile. `after` is done in the same transaction. */
export const finish = (db: Db, job: Job, after?: AfterDone): Promise<Finished> =>
  after === undefined
    ? end(db, job)
    : db.transaction(async (tx) => {
        await after(tx)
        return end(tx, job)
      })

async function end(db: Db | Tx, job: Job): Promise<Finished> {
  if (await changed(rows(db, sql`delete from jobs where ${held(job)} and not again returning id`)))
    return 'gone'
  const waits = await changed(
    rows(
      db,
      sql`update jobs set lease = null, leased_until = null, again = false, attempts = 0, lost_leases = 0,
            last_error = null
          where ${held(job)} returning id`,
    ),
  )
  return waits && 'again'
}

/** Releases a job as if it had never been claimed: a shutdown is not a failed attempt. */
export const release = (db: Db, job: Job): Promise<boolean> =>
  changed(
    rows(
      db,
      sql`update jobs set lease = null, leased_until = null, again = false, attempts = attempts - 1
          where ${held(job)} returning id`,
    ),
  )

/** Records a failed attempt: the job is retried in `retryS` seconds, or fails for good when this was the last one. */
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
