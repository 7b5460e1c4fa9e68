import type { OrderBox } from '@befaqt/domain/api/box-api'
import { coldChainMark } from '@befaqt/domain/cold-chain'
import { asOf, datedFacts, freshnessFacts } from '@befaqt/domain/freshness-facts'
import { freshnessAt, hasFreshness, NO_FRESHNESS } from '@befaqt/domain/freshness-word'
import { eq, sql } from 'drizzle-orm'
import { type HistoryDeps, loadState, type Market, withArchive } from '#server/boxes/index.ts'
import type { Catalogue } from '#server/catalogue/index.ts'
import { ONE_MOMENT, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import type { Principal } from '#server/identity/principal.ts'
import { orderRole } from './order-access.ts'
import { linesToPack, type WholeOrder } from './order-views.ts'
import { type OrderReadDeps, readWholeOrder } from './read-orders.ts'

/** Boxes of one order that are read: each takes its whole history. */
const MAX_BOXES = 40

/** What the boxes of orders are read from. */
export type OrderBoxDeps = HistoryDeps & {
  siteFile: { market: Market }
  catalogue: Pick<Catalogue, 'snapshot'>
  now: () => Date
}

/**
 * The boxes of an order, as `boxesOfOrder`, for whoever may read the order.
 * @param key the one of the order's signed link, if any
 * @throws ShopError `order.not_found`
 */
export async function readOrderBoxes(
  deps: OrderReadDeps & OrderBoxDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderBox[]> {
  const whole = await deps.db.transaction((tx) => readWholeOrder(tx, id), ONE_MOMENT)
  await orderRole(deps, deps.db, principal, whole.order, key, 'order:read')
  return boxesOfOrder(deps, whole)
}

/**
 * The boxes of an order as its buyer got them: how fresh they were at the moment when it was packed, by their records
 * until then, or are while it is not. Of lines that no box is chosen for yet, the box that cards show now.
 */
export async function boxesOfOrder(deps: OrderBoxDeps, whole: WholeOrder): Promise<OrderBox[]> {
  const soldAt = whole.events.findLast(({ status }) => status === 'PACKED')?.happenedAt ?? null
  const ids = [...new Set(whole.boxes.map(({ boxId }) => boxId))].slice(0, MAX_BOXES)
  const found: OrderBox[] = []
  for (const boxID of ids) {
    const box = await boxAt(deps, boxID, soldAt)
    if (box !== undefined) found.push(box)
  }
  return [...found, ...(await expectedBoxes(deps, whole))]
}

/** What cards show now of the fish that is to be packed. */
async function expectedBoxes(
  { catalogue, siteFile, now }: OrderBoxDeps,
  whole: WholeOrder,
): Promise<OrderBox[]> {
  const lines = linesToPack(whole)
  if (lines.length === 0) return []
  const { among } = await catalogue.snapshot()
  const when = asOf(now().getTime(), siteFile.market.timeZone)
  return lines.flatMap(({ position, productId }) => {
    const box = among([productId])[0]?.box
    if (box == null) return []
    const { boxID, coldChain } = box
    const freshness = freshnessAt(box, when)
    return [{ boxID, soldAt: null, species: '', freshness, coldChain, expectedFor: [position] }]
  })
}

/** What the records of a box that were written until then add up to. */
async function boxAt(deps: OrderBoxDeps, boxID: string, at: Date | null): Promise<OrderBox | undefined> {
  const { db, siteFile, now } = deps
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) return undefined
  const [last] = await rows<{ seq: number }>(
    db,
    sql`select coalesce(max(seq), 0)::int as seq from known_records
        where box_id = ${boxID} and recorded_at <= ${at?.toISOString() ?? 'infinity'}::timestamptz`,
  )
  const state = await withArchive(deps, (archived) =>
    loadState(db, { ...box, count: last?.seq ?? 0 }, siteFile.market, archived),
  )
  const { timeZone } = siteFile.market
  const figures = state.figures()
  const facts = datedFacts(freshnessFacts(figures), timeZone)
  const maySay = hasFreshness({ recall: box.recallId, offSale: box.offSaleAt !== null })
  return {
    boxID,
    soldAt: at?.toISOString() ?? null,
    species: state.summary().species,
    freshness: maySay ? freshnessAt(facts, asOf((at ?? now()).getTime(), timeZone)) : NO_FRESHNESS,
    coldChain: maySay && figures.coldChain ? coldChainMark(figures.coldChain) : null,
    expectedFor: [],
  }
}
