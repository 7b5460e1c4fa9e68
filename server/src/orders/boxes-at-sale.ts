import type { OrderBox } from '@befaqt/domain/api/order-api'
import { and, eq, lte, sql } from 'drizzle-orm'
import { loadState } from '#server/boxes/projection/load-state.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { ONE_MOMENT } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import type { Principal } from '#server/identity/principal.ts'
import { orderRole } from './order-access.ts'
import { type OrderReadDeps, readWholeOrder } from './read-orders.ts'

/** Boxes of one order that are read: each takes its whole history. */
const MAX_BOXES = 40

type Deps = OrderReadDeps & { siteFile: { market: Market } }

/**
 * The boxes of an order as its buyer got them: stars and best-by of their records at the moment when it was packed, or
 * as they are while it is not.
 * @param key the one of the order's signed link, if any
 * @throws ShopError `order.not_found`
 */
export async function readOrderBoxes(
  deps: Deps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderBox[]> {
  const whole = await deps.db.transaction((tx) => readWholeOrder(tx, id), ONE_MOMENT)
  orderRole(deps, principal, whole.order, key)
  const soldAt = whole.events.findLast(({ status }) => status === 'PACKED')?.happenedAt ?? null
  const ids = [...new Set(whole.boxes.map(({ boxId }) => boxId))].slice(0, MAX_BOXES)
  const found: OrderBox[] = []
  for (const boxID of ids) {
    const box = await boxAt(deps, boxID, soldAt)
    if (box !== undefined) found.push(box)
  }
  return found
}

/** What the records of a box that were written until then add up to. */
async function boxAt({ db, siteFile }: Deps, boxID: string, at: Date | null): Promise<OrderBox | undefined> {
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) return undefined
  const until = at === null ? undefined : lte(records.recordedAt, at)
  const [last] = await db
    .select({ seq: sql<number>`coalesce(max(${records.seq}), 0)::int` })
    .from(records)
    .where(and(eq(records.boxId, boxID), until))
  const state = await loadState(db, { ...box, count: last?.seq ?? 0 }, siteFile.market)
  const { stars, pastItsBest, timeLeft } = state.figures()
  return {
    boxID,
    soldAt: at?.toISOString() ?? null,
    species: state.summary().species,
    stars,
    pastItsBest,
    bestBy: timeLeft?.bestBy.at ?? null,
  }
}
