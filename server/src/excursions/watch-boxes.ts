import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { type ConsumedEvent, consume, type EventConsumer } from '#server/db/consume.ts'
import { eventKinds } from '#server/db/events.ts'
import { BATCH, followGrown, type WatchDeps } from './follow-boxes.ts'

/** Between two looks at the queue. */
const PERIOD_MS = 2_000
/** Boxes whose sensor fell silent that are put into the queue at once, and some more that did so at the same moment. */
const MAX_SILENT = 500
const CURSOR = 'silence-watched-until'

/**
 * Follows boxes for excursions until it is stopped: its own worker, so that neither pictures nor webhooks nor any other job
 * delay it. Any number of processes may run one beside another.
 * @returns a function that stops it
 */
export function startWatch(deps: WatchDeps, periodMs = PERIOD_MS): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await watchBoxes(deps, signal).catch((err: unknown) => deps.log.error({ err }, 'boxes not watched'))
      await sleep(periodMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}

/** Puts the boxes of events into the queue: one that grows a hundred times before it is followed waits once. */
export const watchConsumer: EventConsumer = {
  name: 'cold-chain.watch',
  kinds: [eventKinds.boxGrown, eventKinds.boxAltered],
  work: async (tx, events) => {
    await queueGrown(tx, events)
    if (events.some(({ keys }) => keys === null)) await queueBehind(tx)
  },
  startOver: queueBehind,
}

/**
 * Puts boxes into the queue by the time at which they grew first; one that waits keeps its place. A row that a watcher takes
 * at this moment is locked: that box gets another, since the watcher may not see this growth.
 */
const queueGrown = (tx: Tx, events: readonly ConsumedEvent[]): Promise<unknown> =>
  rows(
    tx,
    sql`with grown as (
          select box, min(at) as at, min(number) as number
          from json_to_recordset(${JSON.stringify(events)}::json) as e(number bigint, at timestamptz, keys text[]),
            unnest(e.keys) as box
          where box not like 'device:%' group by box),
        waiting as (
          select box_id from watch_queue where box_id = any(array(select box from grown)) for key share skip locked)
        insert into watch_queue (box_id, due_at)
        select box, at from grown where box not in (select box_id from waiting) order by number`,
  )

/** Puts all boxes into the queue that were not followed to their last record, or as their records are now. */
export async function queueBehind(tx: Tx): Promise<void> {
  await rows(
    tx,
    sql`insert into watch_queue (box_id)
        select b.id from boxes b left join box_watches w on w.box_id = b.id
        where b.id not like 'device:%' and b.count > 0
          and (w.box_id is null or w.seq < b.count or w.alterations is distinct from b.alterations)
        order by b.updated_at`,
  )
}

/** Follows every box that has grown, or whose sensor fell silent, until none waits. Returns how many it took. */
export async function watchBoxes(deps: WatchDeps, signal?: AbortSignal): Promise<number> {
  let followed = 0
  while (!signal?.aborted) {
    const areMoreGrown = await consume(deps.db, watchConsumer, deps.log)
    const areMoreSilent = await queueSilent(deps.db, deps.now())
    const taken = await followGrown(deps)
    followed += taken
    if (!areMoreGrown && !areMoreSilent && taken < BATCH) break
  }
  return followed
}

/**
 * Puts boxes on their way, but no sample boxes, into the queue whose sensor has become silent since the last look at the clock, from an index
 * of these moments. One process does it at a time.
 * @returns whether there may be more
 */
const queueSilent = (db: Db, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    await rows(
      tx,
      sql`insert into installation (name, value) values (${CURSOR}, ${new Date(0).toISOString()}) on conflict do nothing`,
    )
    const [cursor] = await rows<{ value: string }>(
      tx,
      sql`select value from installation where name = ${CURSOR} for update skip locked`,
    )
    if (cursor === undefined) return false
    const silent = await rows<{ last: string }>(
      tx,
      sql`with silent as (
            select id, silent_after from boxes
            where not sealed and stage in ('at sea', 'on the road') and not sample
              and silent_after > ${cursor.value}::timestamptz and silent_after < ${now.toISOString()}::timestamptz
            order by silent_after fetch first ${sql.raw(`${MAX_SILENT}`)} rows with ties),
          queued as (insert into watch_queue (box_id) select id from silent order by silent_after)
          select to_char(max(silent_after) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last, count(*)::int
          from silent having count(*) > 0`,
    )
    const [found] = silent
    if (found === undefined) return false
    await rows(tx, sql`update installation set value = ${found.last} where name = ${CURSOR}`)
    return true
  })
