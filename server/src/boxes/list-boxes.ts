import type { BoxListRow, Paged } from '@befaqt/domain/api/box-api'
import { and, count, desc, eq, ilike, or } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { likeText } from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { holdsFish } from './register-boxes.ts'

/** As `listBoxes`; looking for words runs within the limits of searches, until `signal` ends it. */
export const searchBoxes = (
  { db, search }: { db: Db; search: Search },
  query: Parameters<typeof listBoxes>[1],
  signal?: AbortSignal,
): Promise<Paged<BoxListRow>> =>
  query.q.trim() === ''
    ? listBoxes(db, query)
    : search('visitors', (limited) => listBoxes(limited, query), signal)

/** Boxes, newest first. `q` looks in the boxID and the species; the box that it names comes before all others. */
export async function listBoxes(
  db: Db,
  { page, size, q }: { page: number; size: number; q: string },
): Promise<Paged<BoxListRow>> {
  const search = q.trim().replaceAll('\0', '\uFFFD') // NUL, which no stored text can contain
  const matches =
    search === '' ? undefined : or(ilike(boxes.id, likeText(search)), ilike(boxes.species, likeText(search)))
  const where = and(holdsFish, matches)
  const [all] = await db.select({ total: count() }).from(boxes).where(where)
  const found = await db
    .select()
    .from(boxes)
    .where(where)
    .orderBy(...(search === '' ? [] : [desc(eq(boxes.id, search))]), desc(boxes.createdAt), desc(boxes.id))
    .limit(size)
    .offset((page - 1) * size)
  const rows = found.map((box) => ({
    boxID: box.id,
    species: box.species,
    caughtAt: timeText(box.caughtAt),
    records: box.count,
    sealed: box.sealed,
  }))
  return { rows, page, size, total: all?.total ?? 0 }
}
