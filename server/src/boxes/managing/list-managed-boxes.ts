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
  { db, search, now }: { db: Db; search: Search; now: () => Date },
  query: ManageBoxQuery,
  only: readonly string[] | null,
  signal?: AbortSignal,
): Promise<Paged<ManagedBox>> =>
  query.q
    ? search('managers', (limited) => listManagedBoxes(limited, query, now(), only), signal)
    : listManagedBoxes(db, query, now(), only)

/**
 * Boxes as managers see them, last changed first. `q` looks in boxID, species and trader.
 * @param only the boxes that the principal is limited to (`allowedBoxes`); null: all
 */
export async function listManagedBoxes(
  db: Db,
  query: ManageBoxQuery,
  now: Date,
  only: readonly string[] | null,
): Promise<Paged<ManagedBox>> {
  const { page, size, offset } = pageOf(query)
  const text = likeText(query.q ?? '')
  const where = and(
    holdsFish,
    query.q ? or(...[boxes.id, boxes.species, boxes.trader].map((column) => ilike(column, text))) : undefined,
    inStage(query.stage, now),
    only === null ? undefined : inArray(boxes.id, [...only]),
  )
  const [all] = await db.select({ total: count() }).from(boxes).where(where)
  return { rows: await readBoxes(db, where, { size, offset }, now), page, size, total: all?.total ?? 0 }
}

/** One box as managers see it; undefined: none. */
export const findManagedBox = async (db: Db, boxID: string, now: Date): Promise<ManagedBox | undefined> =>
  (await readBoxes(db, eq(boxes.id, boxID), { size: 1, offset: 0 }, now))[0]

type Part = { size: number; offset: number }

async function readBoxes(db: Db, where: SQL | undefined, part: Part, now: Date): Promise<ManagedBox[]> {
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
  return found.map(({ box, anchored }) => ({
    ...managedBox(box, anchored, now),
    products: (links.get(box.id) ?? []).map(({ boxId: _, ...product }) => product),
  }))
}

const underWay = ['at sea', 'on the road'] as const

/** Boxes with alerts, silence until now included. */
export const withAlerts = (now: Date): SQL =>
  sql`not ${boxes.sealed} and (${boxes.alerts} <> '[]'::jsonb
    or (${inArray(boxes.stage, underWay)} and ${boxes.silentAfter} < ${now.toISOString()}::timestamptz))`

function inStage(stage: ManageBoxQuery['stage'], now: Date): SQL | undefined {
  if (stage === undefined) return undefined
  if (stage === 'alerts') return withAlerts(now)
  if (stage === 'sealed') return eq(boxes.sealed, true)
  return and(eq(boxes.sealed, false), eq(boxes.stage, stage))
}

const Alerts = z.array(z.object({ kind: z.string(), words: z.string() }))
const unreadable = { kind: 'unreadable', words: 'The alerts of this box can’t be read: its row is damaged.' }

function managedBox(box: Row, anchored: number, now: Date): Omit<ManagedBox, 'products'> {
  const silent =
    !box.sealed && underWay.some((stage) => stage === box.stage) && (box.silentAfter ?? now) < now
  const still = {
    kind: 'silent-still',
    words: 'Sensor silent: no reading for longer than usual, and still none.',
  }
  const alerts = Alerts.safeParse(box.alerts).data ?? [unreadable]
  return {
    boxID: box.id,
    species: box.species,
    trader: box.trader,
    stage: box.sealed ? 'sealed' : box.stage,
    recalled: box.recallId !== null,
    offSale: box.offSaleAt !== null,
    records: box.count,
    pending: Math.max(0, box.count - anchored),
    alerts: silent ? [...alerts, still] : alerts,
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
