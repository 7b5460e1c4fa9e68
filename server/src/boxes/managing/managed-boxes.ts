import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedBox, ManagedBoxDetail } from '@befaqt/domain/api/manage-api'
import { kindsByAccount } from '@befaqt/domain/box-history'
import { boxStages } from '@befaqt/domain/place'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { actorNames } from '#server/audit/history.ts'
import { boxNotFound, holdsFish } from '#server/boxes/box-access.ts'
import { boxIds, countingBoxes, findBoxes, isFound } from '#server/boxes/list-boxes.ts'
import { readableRecord } from '#server/boxes/read-records.ts'
import type { Db } from '#server/db/client.ts'
import { falling, keysetPage } from '#server/db/keyset.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { finite, timeText } from '#server/db/stored-values.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { countAlerted, watchedOf, withAlerts } from './box-alerts.ts'

/** The query of the list of boxes; by stage, or those that have alerts. */
export const ManageBoxQuery = ListQuery.pick({ ...PLACE, q: true }).extend({
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
  const q = query.q ?? ''
  const found = await findBoxes(db, q, ['public', 'trader'])
  const where = and(
    holdsFish,
    isFound(found, q, ['public', 'trader']),
    inStage(query.stage),
    only === null ? undefined : inArray(boxes.id, [...only]),
  )
  const isAll = only === null
  const { rows: ids, ...page } = await keysetPage(
    query,
    { keys: lastChangedFirst, of: ['boxes', { ...query, only }] },
    (part) => boxIds(db, where, part),
    (beyond) =>
      isAll && query.stage === 'alerts' && found === undefined && beyond === undefined
        ? countAlerted(db)
        : countingBoxes(db, where, found, isAll && query.stage === undefined)(beyond),
  )
  return {
    ...page,
    rows: await readBoxes(
      db,
      ids.map(({ id }) => id),
    ),
  }
}

/** One box as managers see it; undefined: none. */
const findManagedBox = async (db: Db, boxID: string): Promise<ManagedBox | undefined> =>
  (await readBoxes(db, [boxID]))[0]

const lastChangedFirst = [falling(boxes.updatedAt), falling(boxes.id)]

/** Boxes in the order of their ids here; those that are not there are left out. */
async function readBoxes(db: Db, ids: readonly string[]): Promise<ManagedBox[]> {
  const read = await db
    .select({ box: boxes, anchored })
    .from(boxes)
    .where(inArray(boxes.id, [...ids]))
  const byId = new Map(read.map((row) => [row.box.id, row]))
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  const [links, watched] = await Promise.all([
    linkedProducts(
      db,
      found.map(({ box }) => box.id),
    ),
    watchedOf(
      db,
      found.map(({ box }) => box),
    ),
  ])
  return found.map(({ box, anchored }, i) => ({
    ...managedRow(box, anchored),
    ...(watched[i] ?? { alerts: [], excursions: [] }),
    products: (links.get(box.id) ?? []).map(({ boxId: _, ...product }) => product),
  }))
}

function inStage(stage: ManageBoxQuery['stage']): SQL | undefined {
  if (stage === undefined) return undefined
  if (stage === 'alerts') return withAlerts
  // As the indexes say it.
  if (stage === 'sealed') return sql`${boxes.sealed}`
  return and(sql`not ${boxes.sealed}`, eq(boxes.stage, stage))
}

function managedRow(box: Row, anchored: number): Omit<ManagedBox, 'products' | 'alerts' | 'excursions'> {
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
      unit: productBoxes.unit,
    })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(inArray(productBoxes.boxId, boxIds))
    .orderBy(asc(products.title), asc(products.id))
  return Map.groupBy(found, ({ boxId }) => boxId)
}

/** One box as managers see it, with who made what is ours in its history. @throws ShopError `box.not_found` */
export async function managedBox(db: Db, boxID: string): Promise<ManagedBoxDetail> {
  const { seq, kind, body, recordHash } = records
  const [box, ours] = await Promise.all([
    findManagedBox(db, boxID),
    db
      .select({ seq, kind, body, recordHash })
      .from(records)
      .where(and(eq(records.boxId, boxID), inArray(kind, kindsByAccount))),
  ])
  if (box === undefined) throw boxNotFound()
  const makers = new Set(ours.flatMap((row) => readableRecord(row)?.by ?? []))
  return { ...box, makers: Object.fromEntries(await actorNames(db, [...makers])) }
}
