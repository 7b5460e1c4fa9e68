import { inTimeOrder } from '@befaqt/domain/cold-chain'
import {
  followReadings,
  type LimitPeriod,
  limitsOf,
  NOTHING_WATCHED,
  type Watch,
} from '@befaqt/domain/excursions'
import { and, asc, inArray, isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Market } from '#server/boxes/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { boxWatches, excursions } from '#server/db/schema/excursions.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { limitPeriods, type Part, readingsOfRows, readTracking } from './box-readings.ts'
import { changesOf, type ExcursionChange, saveChanges } from './excursion-changes.ts'
import type { NoticeDeps } from './notify.ts'

export type WatchDeps = NoticeDeps & { siteFile: { market: Market }; log: Pick<Logger, 'error' | 'warn'> }

/** Boxes that are followed in one transaction. */
export const BATCH = 100
/** Records that are read at once; a box with more of them is read alone. */
const MAX_RECORDS = 5_000

type WatchRow = typeof boxWatches.$inferSelect

/** A box, how far it was followed, and its excursions that were not withdrawn. */
type Watched = {
  box: Pick<
    typeof boxes.$inferSelect,
    'id' | 'count' | 'species' | 'alterations' | 'sealed' | 'sample' | 'stage' | 'silentAfter'
  >
  row: WatchRow
  known: (typeof excursions.$inferSelect)[]
}

/**
 * Follows boxes that have grown, those that grew first first: opens, moves, ends and withdraws their excursions, by their
 * readings as they are now. Any number of processes may do it at once. A box that can't be followed, as one with a damaged
 * row, is logged, tried again a minute later, and harms no other.
 * @returns how many were taken from the queue; 0: none waits
 */
export const followGrown = (deps: WatchDeps): Promise<number> =>
  deps.db.transaction(async (tx) => {
    const taken = await rows<{ id: string }>(
      tx,
      sql`delete from watch_queue where id = any(array(
            select id from watch_queue where due_at <= now() order by due_at, id limit ${BATCH}
            for update skip locked))
          returning box_id as id`,
    )
    if (taken.length > 0) await followBoxes(tx, deps, [...new Set(taken.map(({ id }) => id))])
    return taken.length
  })

/** Follows these boxes in the caller's transaction. */
export async function followBoxes(tx: Tx, deps: WatchDeps, ids: readonly string[]): Promise<void> {
  const watched = await lockWatches(tx, ids)
  const periods = await limitPeriods(
    tx,
    watched.map(({ box }) => box.species),
  )
  const followed: WatchRow[] = []
  for (const part of batches(watched)) {
    const read = await readTracking(tx, part.map(unread))
    for (const one of part) {
      try {
        const { row, changes } = await followBox(tx, deps, one, read.get(one.box.id) ?? [], periods)
        if (changes.length > 0) await tx.transaction((inner) => saveChanges(inner, deps, one.box.id, changes))
        followed.push(row)
      } catch (error) {
        if (isDatabaseUnreachable(error)) throw error
        deps.log.error({ err: error, boxID: one.box.id }, 'box not followed for excursions')
        await rows(
          tx,
          sql`insert into watch_queue (box_id, due_at) values (${one.box.id}, now() + interval '1 minute')`,
        )
      }
    }
  }
  await saveWatches(tx, followed)
}

/** What was followed to its end before rows were dropped stays as it was found: nothing of it can change any more. */
const hasAllRows = sql`not exists (select from box_archives a where a.box_id = ${boxes.id} and a.dropped_at is not null)`

/** Rows of boxes as they are once nobody else follows them. Locked in the order of their ids. */
async function lockWatches(tx: Tx, ids: readonly string[]): Promise<Watched[]> {
  await rows(
    tx,
    sql`insert into box_watches (box_id, seq)
        select b.id, 0 from boxes b where b.id = any(${sql.param([...ids])}::text[]) order by b.id collate "C"
        on conflict do nothing`,
  )
  const held = await tx
    .select()
    .from(boxWatches)
    .where(inArray(boxWatches.boxId, [...ids]))
    .orderBy(inByteOrder(boxWatches.boxId))
    .for('update')
  const { id, count, species, alterations, sealed, sample, stage, silentAfter } = boxes
  const found = await tx // after the locks: a box that another process has just followed has not shrunk since
    .select({ id, count, species, alterations, sealed, sample, stage, silentAfter })
    .from(boxes)
    .where(and(inArray(boxes.id, [...ids]), hasAllRows))
  const known = await tx
    .select()
    .from(excursions)
    .where(and(inArray(excursions.boxId, [...ids]), isNull(excursions.withdrawnAt)))
    .orderBy(asc(excursions.since))
  const boxOf = new Map(found.map((box) => [box.id, box]))
  return held.flatMap((row) => {
    const box = boxOf.get(row.boxId)
    return box ? [{ box, row, known: known.filter(({ boxId }) => boxId === row.boxId) }] : []
  })
}

/** Was the box followed by these formulas, with this species, and before any of its records was changed in its place? */
const canGoOn = ({ box, row }: Watched): boolean =>
  row.warmMs !== null && row.species === box.species && row.alterations === box.alterations

const unread = (one: Watched): Part => ({
  box: one.box.id,
  after: canGoOn(one) ? one.row.seq : 0,
  until: one.box.count,
})

function* batches(watched: readonly Watched[]): Generator<Watched[]> {
  let part: Watched[] = []
  let size = 0
  for (const one of watched) {
    const { after, until } = unread(one)
    if (part.length > 0 && size + until - after > MAX_RECORDS) {
      yield part
      part = []
      size = 0
    }
    part.push(one)
    size += until - after
  }
  if (part.length > 0) yield part
}

type Records = Parameters<typeof readingsOfRows>[0]

/** What a box's records change: from where it was left, or anew when they are older than what was read, or corrections. */
async function followBox(
  tx: Tx,
  deps: WatchDeps,
  one: Watched,
  found: Records,
  periods: readonly LimitPeriod[],
): Promise<{ row: WatchRow; changes: ExcursionChange[] }> {
  const { box, row, known } = one
  const { timeZone } = deps.siteFile.market
  let isAnew = unread(one).after === 0
  let read = readingsOfRows(found)
  let readings = inTimeOrder(read.readings, timeZone)
  let before = isAnew ? NOTHING_WATCHED : watchOf(row)
  const isLate = before.lastAt !== null && second(readings[0]?.at ?? Infinity) <= second(before.lastAt)
  if (!isAnew && (isLate || read.hasCorrections)) {
    isAnew = true
    const all = await readTracking(tx, [{ box: box.id, after: 0, until: box.count }])
    read = readingsOfRows(all.get(box.id) ?? [])
    readings = inTimeOrder(read.readings, timeZone)
    before = NOTHING_WATCHED
  }
  const limitAt = limitsOf(box.species, periods)
  const { watch, stretches } = followReadings(before, readings, limitAt)
  const times = readings.map(({ at }) => at)
  const changes = changesOf({
    known: isAnew ? known : known.filter(({ endedAt }) => endedAt === null),
    stretches,
    limitAt,
    times: before.lastAt === null ? times : [before.lastAt, ...times],
    silentAfter: box.silentAfter?.getTime() ?? null,
    isUnderWay: !box.sealed && !box.sample && (box.stage === 'at sea' || box.stage === 'on the road'),
    now: deps.now().getTime(),
  })
  return { row: rowOf(one, watch), changes }
}

const second = (at: number): number => Math.floor(at / 1000)

const watchOf = (row: WatchRow): Watch => ({
  lastAt: row.lastAt?.getTime() ?? null,
  since: row.since?.getTime() ?? null,
  peak: row.peak,
  peakAt: row.peakAt?.getTime() ?? null,
  warmMs: row.warmMs ?? 0,
  warmBeforeMs: row.warmBeforeMs ?? 0,
  isExcursion: row.isExcursion ?? false,
})

const date = (at: number | null): Date | null => (at === null ? null : new Date(at))

const rowOf = ({ box: { id, count, species, alterations } }: Watched, watch: Watch): WatchRow => ({
  ...watch,
  boxId: id,
  seq: count,
  lastAt: date(watch.lastAt),
  since: date(watch.since),
  peakAt: date(watch.peakAt),
  species,
  alterations,
})

/** In one statement, sent as JSON. */
async function saveWatches(tx: Tx, followed: readonly WatchRow[]): Promise<void> {
  if (followed.length === 0) return
  await rows(
    tx,
    sql`update box_watches w set seq = f.seq, last_at = f."lastAt", since = f.since, peak = f.peak, peak_at = f."peakAt",
          warm_ms = f."warmMs", warm_before_ms = f."warmBeforeMs", is_excursion = f."isExcursion", species = f.species,
          alterations = f.alterations
        from json_to_recordset(${JSON.stringify(followed)}::json)
          as f("boxId" text, seq int, "lastAt" timestamptz, since timestamptz, peak float8, "peakAt" timestamptz,
            "warmMs" float8, "warmBeforeMs" float8, "isExcursion" boolean, species text, alterations int)
        where w.box_id = f."boxId"`,
  )
}
