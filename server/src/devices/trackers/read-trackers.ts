import type { Paged } from '@befaqt/domain/api/box-api'
import type { TrackerView } from '@befaqt/domain/tracker'
import { and, count, desc, eq, ilike, lte, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { trackerAssignments, trackers } from '#server/db/schema/trackers.ts'
import { likeText } from '#server/db/search-and-order.ts'
import { ListQuery, pageOf } from '#server/http/list-query.ts'

/** The query of the list of trackers. */
export const TrackerQuery = ListQuery.pick({ page: true, size: true, q: true })

/** Trackers by their last message, newest first; `q` searches names and ids. */
export async function listTrackers(
  db: Db,
  query: z.infer<typeof TrackerQuery>,
  now: Date,
): Promise<Paged<TrackerView>> {
  const { page, size, offset } = pageOf(query)
  const text = likeText(query.q ?? '')
  const where = query.q ? or(ilike(trackers.name, text), ilike(trackers.deviceId, text)) : undefined
  const [all] = await db.select({ total: count() }).from(trackers).where(where)
  return { rows: await select(db, where, { size, offset }, now), page, size, total: all?.total ?? 0 }
}

/** One tracker; undefined: none is known. */
export const findTracker = async (db: Db | Tx, id: string, now: Date): Promise<TrackerView | undefined> =>
  (await select(db, eq(trackers.id, id), { size: 1, offset: 0 }, now))[0]

async function select(
  db: Db | Tx,
  where: SQL | undefined,
  { size, offset }: { size: number; offset: number },
  now: Date,
): Promise<TrackerView[]> {
  const assigned = db
    .select()
    .from(trackerAssignments)
    .where(and(eq(trackerAssignments.trackerId, trackers.id), lte(trackerAssignments.from, now)))
    .orderBy(desc(trackerAssignments.from))
    .limit(1)
    .as('assigned')
  const found = await db
    .select()
    .from(trackers)
    .leftJoinLateral(assigned, eq(assigned.trackerId, trackers.id))
    .where(where)
    .orderBy(desc(trackers.createdAt), desc(trackers.id))
    .limit(size)
    .offset(offset)
  return found.map(({ trackers: row, assigned }) => viewOf(row, assigned))
}

function viewOf(
  row: typeof trackers.$inferSelect,
  assigned: typeof trackerAssignments.$inferSelect | null,
): TrackerView {
  const { id, source, deviceId, name, lastBox, readingAt, temperature, battery, heardAt, refusal } = row
  return {
    id,
    source,
    deviceId,
    name,
    assigned: assigned && { box: assigned.boxId, from: assigned.from.toISOString() },
    last:
      lastBox === null || readingAt === null || temperature === null
        ? null
        : { box: lastBox, readingAt: readingAt.toISOString(), temperature: Number(temperature.toFixed(2)) },
    battery,
    heardAt: heardAt.toISOString(),
    refusal,
  }
}
