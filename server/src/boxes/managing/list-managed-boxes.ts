import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { boxStages } from '@befaqt/domain/box-stages'
import { and, asc, count, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { likeText } from '#server/db/search-and-order.ts'
import { finite, timeText } from '#server/db/stored-values.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { ListQuery, pageOf } from '#server/http/list-query.ts'
import { watchedOf, withAlerts } from './box-alerts.ts'

/** The query of the list of boxes; by stage, or those that have alerts. */
export const ManageBoxQuery = ListQuery.pick({ page: true, size: true, q: true }).extend({
  stage: z.enum([...boxStages, 'alerts']).optional(),
})
export type ManageBoxQuery = z.infer<typeof ManageBoxQuery>

type Row = typeof boxes.$inferSelect

/** Records of a box that a confirmed anchor covers. Source: protocol §4. */
const anchored = sql<number>`coalesce((select max(l.count) from anchor_leaves l
  join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
  where l.box_id = ${boxes.id}), 0)::int`

/** As `listManagedBoxes`; looking for words runs within the limits of searches, until `signal` ends it. */
export const searchManagedBoxes = (
  { db, search }: { db: Db; search: Search },
  query: ManageBoxQuery,
  only: readonly string[] | null,
  signal?: AbortSignal,
): Promise<Paged<ManagedBox>> =>
  query.q
    ? search('managers', (limited) => listManagedBoxes(limited, query, only), signal)
    : listManagedBoxes(db, query, only)

/**
 * Boxes as managers see them, last changed first. `q` looks in boxID, species and trader.
 * @param only the boxes that the principal is limited to (`allowedBoxes`); null: all
 */
export async function listManagedBoxes(
  db: Db,
  query: ManageBoxQuery,
  only: readonly string[] | null,
): Promise<Paged<ManagedBox>> {
  const { page, size, offset } = pageOf(query)
  const text = likeText(query.q ?? '')
  const where = and(
    holdsFish,
    query.q ? or(...[boxes.id, boxes.species, boxes.trader].map((column) => ilike(column, text))) : undefined,
    inStage(query.stage),
    only === null ? undefined : inArray(boxes.id, [...only]),
  )
  const [all] = await db.select({ total: count() }).from(boxes).where(where)
  return { rows: await readBoxes(db, where, { size, offset }), page, size, total: all?.total ?? 0 }
}

/** One box as managers see it; undefined: none. */
export const findManagedBox = async (db: Db, boxID: string): Promise<ManagedBox | undefined> =>
  (await readBoxes(db, eq(boxes.id, boxID), { size: 1, offset: 0 }))[0]

type Part = { size: number; offset: number }

async function readBoxes(db: Db, where: SQL | undefined, part: Part): Promise<ManagedBox[]> {
  const found = await db
    .select({ box: boxes, anchored })
    .from(boxes)
    .where(where)
    .orderBy(desc(boxes.updatedAt), desc(boxes.id))
    .limit(part.size)
    .offset(part.offset)
  const links = await linkedProducts(
    db,
    found.map(({ box }) => box.id),
  )
  const watched = await watchedOf(
    db,
    found.map(({ box }) => box),
  )
  return found.map(({ box, anchored }, i) => ({
    ...managedBox(box, anchored),
    ...(watched[i] ?? { alerts: [], excursions: [] }),
    products: (links.get(box.id) ?? []).map(({ boxId: _, ...product }) => product),
  }))
}

function inStage(stage: ManageBoxQuery['stage']): SQL | undefined {
  if (stage === undefined) return undefined
  if (stage === 'alerts') return withAlerts
  if (stage === 'sealed') return eq(boxes.sealed, true)
  return and(eq(boxes.sealed, false), eq(boxes.stage, stage))
}

function managedBox(box: Row, anchored: number): Omit<ManagedBox, 'products' | 'alerts' | 'excursions'> {
  return {
    boxID: box.id,
    species: box.species,
    trader: box.trader,
    stage: box.sealed ? 'sealed' : box.stage,
    recalled: box.recallId !== null,
    offSale: box.offSaleAt !== null,
    records: box.count,
    pending: Math.max(0, box.count - anchored),
    caughtAt: timeText(box.caughtAt),
    updatedAt: timeText(box.updatedAt),
    sample: box.sample,
  }
}

async function linkedProducts(db: Db, boxIds: string[]) {
  if (boxIds.length === 0) return new Map<string, never[]>()
  const found = await db
    .select({
      boxId: productBoxes.boxId,
      _id: products.id,
      title: products.title,
      quantity: finite(productBoxes.quantity),
    })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(inArray(productBoxes.boxId, boxIds))
    .orderBy(asc(products.title), asc(products.id))
  return Map.groupBy(found, ({ boxId }) => boxId)
}
