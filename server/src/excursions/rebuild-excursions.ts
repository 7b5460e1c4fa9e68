import { inTimeOrder } from '@befaqt/domain/cold-chain'
import { limitsOf, warmStretches } from '@befaqt/domain/excursions'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import {
  type Archived,
  type HistoryDeps,
  type Market,
  refuseDropped,
  withArchive,
} from '#server/boxes/index.ts'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { boxWatches, excursions, watchQueue } from '#server/db/schema/excursions.ts'
import { limitPeriods, readingsOfRows, readTracking } from './box-readings.ts'
import { watchConsumer } from './watch-boxes.ts'

type Deps = HistoryDeps & { siteFile: { market: Pick<Market, 'timeZone'> } }

/** An excursion of a box that is only in the table, or only in its readings. Times are RFC 3339. */
export type Difference = {
  only: 'table' | 'readings'
  since: string
  until: string | null
  peak: number
  grade: number
}

/**
 * Compares the warm excursions of a box with what its readings, as they are now, give. Empty: they agree, or the box
 * waits to be followed.
 */
export const diffExcursions = (deps: Deps, boxID: string): Promise<Difference[]> =>
  withArchive(deps, (archived) => differences(deps, boxID, archived))

const differences = ({ db, siteFile }: Deps, boxID: string, archived?: Archived): Promise<Difference[]> =>
  db.transaction(async (tx) => {
    const [box] = await tx.select().from(boxes).where(eq(boxes.id, boxID))
    if (box === undefined || (await isWaiting(tx, boxID))) return []
    const inReadings = await computed(tx, box, siteFile.market.timeZone, archived)
    const stored = await tx
      .select()
      .from(excursions)
      .where(and(eq(excursions.boxId, boxID), eq(excursions.kind, 'warm'), isNull(excursions.withdrawnAt)))
      .orderBy(asc(excursions.since))
    const inTable = stored.map(({ since, endedAt, peak, grade }) => ({
      since: since.toISOString(),
      until: endedAt?.toISOString() ?? null,
      peak: peak ?? Number.NaN,
      grade,
    }))
    const missing = (from: typeof inTable, to: typeof inTable, only: Difference['only']) => {
      const there = new Set(to.map((one) => JSON.stringify(one)))
      return from.filter((one) => !there.has(JSON.stringify(one))).map((one) => ({ only, ...one }))
    }
    return [...missing(inTable, inReadings, 'table'), ...missing(inReadings, inTable, 'readings')]
  }, ONE_MOMENT)

/** Is it in the queue, or in an event that is not in the queue yet? */
async function isWaiting(tx: Tx, boxID: string): Promise<boolean> {
  const isOfBox = sql`kind in ${watchConsumer.kinds} and (keys is null or ${boxID} = any(keys))`
  const waiting = await rows(
    tx,
    sql`select from watch_queue where box_id = ${boxID}
        union all select from events where number is null and ${isOfBox}
        union all select from events
          where number > (select last from event_consumers where name = ${watchConsumer.name}) and ${isOfBox}
        limit 1`,
  )
  return waiting.length > 0
}

async function computed(
  tx: Tx,
  { id, count, species }: typeof boxes.$inferSelect,
  timeZone: string,
  archived: Archived = [],
) {
  await refuseDropped(tx, id, archived)
  const found = (await readTracking(tx, [{ box: id, after: 0, until: count }])).get(id) ?? []
  const readings = archived.filter(({ kind }) => kind === 'tracking').map((row) => ({ ...row, box: id }))
  const all = [...found, ...readings].sort((a, b) => a.seq - b.seq)
  const ordered = inTimeOrder(readingsOfRows(all).readings, timeZone)
  return warmStretches(ordered, limitsOf(species, await limitPeriods(tx, [species]))).map(
    ({ since, until, peak, grade }) => ({
      since: new Date(since).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      peak,
      grade,
    }),
  )
}

/** Has the excursions of a box made anew from all of its readings, by the next watch. */
export const rebuildExcursions = (db: Db, boxID: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.update(boxWatches).set({ warmMs: null }).where(eq(boxWatches.boxId, boxID))
    await tx.insert(watchQueue).values({ boxId: boxID })
  })
