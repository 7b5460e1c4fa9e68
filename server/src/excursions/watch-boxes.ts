import { randomUUID } from 'node:crypto'
import {
  DEFAULT_WARM_LIMIT,
  followReadings,
  NOTHING_WATCHED,
  type WarmLimit,
  type Watch,
} from '@befaqt/domain/excursions'
import { inTimeOrder } from '@befaqt/domain/readings'
import { RecordedReading } from '@befaqt/domain/recorded-reading'
import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { z } from 'zod'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { boxWatches, excursions, warmLimits } from '#server/db/schema/excursions.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { enqueue, nextRun } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type NoticeDeps, queueNotices } from './notify.ts'

export const WATCH_QUEUE = 'excursion.watch'
const PERIOD_MS = 15_000
/** Boxes that are followed in one run; the rest follows in the next. */
const MAX_BOXES = 500

export type WatchDeps = NoticeDeps & { siteFile: { market: Market }; log: Pick<Logger, 'error'> }

/** Schedules the next run, one for all processes. */
export const scheduleWatch = (db: Db, now: Date): Promise<void> =>
  enqueue(db, WATCH_QUEUE, {}, nextRun(now, PERIOD_MS))

/**
 * The job: follows every box that has grown since the last run, and schedules the next one. A process looks at all
 * boxes until it has followed them, then only at those of the last day: a run costs what changed, not what is there.
 */
export function watchBoxesJob(deps: WatchDeps): JobHandler {
  let isBehind = true
  return async (_payload, signal) => {
    isBehind = (await watchBoxes(deps, { of: isBehind ? 'all' : 'day', signal })) === MAX_BOXES
    await scheduleWatch(deps.db, new Date(deps.now().getTime() + 1))
  }
}

/**
 * Opens, updates and ends excursions by what the readings say, and by the silence until now. A box that can't be followed,
 * as one with a damaged row, is logged and harms no other.
 * @param of which boxes are looked at: all, or those that grew in the last day
 * @returns how many boxes were followed
 */
export async function watchBoxes(
  deps: WatchDeps,
  { of = 'all', signal }: { of?: 'all' | 'day'; signal?: AbortSignal } = {},
): Promise<number> {
  const recent = of === 'day' ? sql`b.updated_at > now() - interval '1 day'` : sql`true`
  const grown = await rows<{ id: string }>(
    deps.db,
    sql`select b.id from boxes b left join box_watches w on w.box_id = b.id
        where ${recent} and b.count > coalesce(w.seq, 0) and not b.sample and b.id not like 'device:%'
        order by b.updated_at limit ${MAX_BOXES}`,
  )
  for (const { id } of grown) {
    signal?.throwIfAborted()
    await deps.db
      .transaction((tx) => watchBox(tx, deps, id))
      .catch((error: unknown) => {
        if (isDatabaseUnreachable(error)) throw error
        deps.log.error({ err: error, boxID: id }, 'box not followed for excursions')
      })
  }
  await deps.db.transaction((tx) => watchSilence(tx, deps))
  return grown.length
}

const Body = z.object({ kind: z.string(), data: z.unknown() })

async function watchBox(tx: Tx, deps: WatchDeps, boxId: string): Promise<void> {
  await tx.insert(boxWatches).values({ boxId, seq: 0 }).onConflictDoNothing()
  const [row] = await tx.select().from(boxWatches).where(eq(boxWatches.boxId, boxId)).for('update')
  const [box] = await tx.select().from(boxes).where(eq(boxes.id, boxId))
  if (row === undefined || box === undefined) return
  const limit = await limitOf(tx, box.species)
  const { timeZone } = deps.siteFile.market
  let before: Watch = { ...NOTHING_WATCHED, peak: row.peak, ...instants(row) }
  let read = await readReadings(tx, boxId, row.seq)
  let readings = inTimeOrder(read.readings, timeZone)
  const isOld = before.lastAt !== null && (readings[0]?.at ?? Infinity) < before.lastAt
  if (isOld || read.corrected) {
    before = NOTHING_WATCHED
    read = await readReadings(tx, boxId, 0)
    readings = inTimeOrder(read.readings, timeZone)
  }
  const { watch, stretches } = followReadings(before, readings, limit)
  for (const { since, until, peak, peakAt } of stretches) {
    const found = { endedAt: until === null ? null : new Date(until), peak, peakAt: new Date(peakAt) }
    await saveExcursion(tx, deps, { boxId, kind: 'warm', since: new Date(since), limit, ...found })
  }
  if (readings.length > 0) await endSilence(tx, deps, boxId, new Date(watch.lastAt ?? 0))
  await tx
    .update(boxWatches)
    .set({
      seq: read.seq,
      peak: watch.peak,
      lastAt: date(watch.lastAt),
      since: date(watch.since),
      peakAt: date(watch.peakAt),
    })
    .where(eq(boxWatches.boxId, boxId))
}

const date = (at: number | null): Date | null => (at === null ? null : new Date(at))
const instants = (row: typeof boxWatches.$inferSelect) => ({
  lastAt: row.lastAt?.getTime() ?? null,
  since: row.since?.getTime() ?? null,
  peakAt: row.peakAt?.getTime() ?? null,
})

/**
 * Readings after a place in the history, up to where it ends now; corrections replace what they correct only when all is
 * read.
 */
async function readReadings(tx: Tx, boxId: string, after: number) {
  // Before the records: one that comes in between is followed by the next run.
  const [last] = await tx.select({ count: boxes.count }).from(boxes).where(eq(boxes.id, boxId))
  const end = last?.count ?? after
  const found = await tx
    .select({ seq: records.seq, kind: records.kind, body: records.body })
    .from(records)
    .where(
      and(
        eq(records.boxId, boxId),
        gt(records.seq, after),
        lte(records.seq, end),
        inArray(records.kind, ['tracking', 'correction']),
      ),
    )
    .orderBy(asc(records.seq))
  const bodies = found.map(({ seq, body }) => ({
    seq,
    body: Body.safeParse(JSON.parse(body ?? 'null')).data,
  }))
  const corrected = new Map(
    bodies.flatMap(({ body }) => {
      const fix = body?.kind === 'correction' ? Correction.safeParse(body.data).data : undefined
      return fix ? [[fix.corrects, fix.data] as const] : []
    }),
  )
  const readings = bodies.flatMap(({ seq, body }) => {
    if (body?.kind !== 'tracking') return []
    const parsed = RecordedReading.safeParse(corrected.get(seq) ?? body.data)
    return parsed.success ? [parsed.data] : []
  })
  return { readings, corrected: after > 0 && corrected.size > 0, seq: end }
}

const Correction = z.object({ corrects: z.number(), data: z.unknown() })

/** The limit of a species, or the shop's. */
export async function limitOf(tx: Tx | Db, species: string): Promise<WarmLimit> {
  const key = species.trim().toLowerCase()
  const found = await tx
    .select()
    .from(warmLimits)
    .where(inArray(warmLimits.species, [key, '']))
  const { degrees, minutes } =
    found.find((one) => one.species === key && key !== '') ?? found[0] ?? DEFAULT_WARM_LIMIT
  return { degrees, minutes }
}

type Found = {
  boxId: string
  kind: 'warm' | 'silent'
  since: Date
  endedAt: Date | null
  peak: number | null
  peakAt: Date | null
  limit: WarmLimit | null
}

/** Opens an excursion, or records its progress, and queues notifications in the same transaction. */
async function saveExcursion(tx: Tx, deps: WatchDeps, found: Found): Promise<void> {
  const { boxId, kind, since, endedAt, peak, peakAt, limit } = found
  const limits = { limitDegrees: limit?.degrees ?? null, limitMinutes: limit?.minutes ?? null }
  const [opened] = await tx
    .insert(excursions)
    .values({ id: randomUUID(), boxId, kind, since, endedAt, peak, peakAt, ...limits })
    .onConflictDoNothing({ target: [excursions.boxId, excursions.kind, excursions.since] })
    .returning()
  if (opened) return queueNotices(tx, deps, opened, 'opened')
  const same = and(eq(excursions.boxId, boxId), eq(excursions.kind, kind), eq(excursions.since, since))
  const [before] = await tx.select().from(excursions).where(same).for('update')
  const [after] = await tx.update(excursions).set({ endedAt, peak, peakAt }).where(same).returning()
  if (after && endedAt !== null && before?.endedAt === null && after.closedAt === null)
    await queueNotices(tx, deps, after, 'ended')
}

/** Boxes on their way whose sensor is silent now. */
async function watchSilence(tx: Tx, deps: WatchDeps): Promise<void> {
  const now = deps.now()
  const silent = await tx
    .select({ id: boxes.id, since: boxes.silentAfter })
    .from(boxes)
    .where(
      and(
        holdsFish,
        eq(boxes.sealed, false),
        eq(boxes.sample, false),
        inArray(boxes.stage, ['at sea', 'on the road']),
        sql`${boxes.silentAfter} < ${now.toISOString()}::timestamptz`,
        sql`not exists (select from excursions e where e.box_id = ${boxes.id} and e.kind = 'silent' and e.since = ${boxes.silentAfter})`,
      ),
    )
    .limit(MAX_BOXES)
  for (const { id, since } of silent)
    if (since !== null)
      await saveExcursion(tx, deps, {
        boxId: id,
        kind: 'silent',
        since,
        endedAt: null,
        peak: null,
        peakAt: null,
        limit: null,
      })
}

/** A reading came: silences before it are over. */
async function endSilence(tx: Tx, deps: WatchDeps, boxId: string, at: Date): Promise<void> {
  const ended = await tx
    .update(excursions)
    .set({ endedAt: at })
    .where(
      and(
        eq(excursions.boxId, boxId),
        eq(excursions.kind, 'silent'),
        isNull(excursions.endedAt),
        sql`${excursions.since} < ${at.toISOString()}::timestamptz`,
      ),
    )
    .returning()
  for (const row of ended) if (row.closedAt === null) await queueNotices(tx, deps, row, 'ended')
}
