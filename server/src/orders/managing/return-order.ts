import { measureOf, sumOf, unitsBack } from '@befaqt/domain/amount'
import { marketTime } from '@befaqt/domain/market-time'
import { and, eq, inArray } from 'drizzle-orm'
import { addRecords, lockBox } from '#server/boxes/index.ts'
import { type CatalogueTx, changeStock } from '#server/catalogue/index.ts'
import type { Locks } from '#server/db/lock.ts'
import { boxLosses, orderLineBoxes } from '#server/db/schema/orders.ts'
import { amountData } from '../box-sales.ts'
import type { OrderDeps } from '../order-deps.ts'
import type { WholeOrder } from '../order-views.ts'
import { findRecall } from '../recalling/read-recall.ts'

/**
 * Gives back what a cancelled order had: stock to sale, and what was packed to its boxes. What came from a recalled box
 * must not be sold: it stays out of stock and is a loss of that box, so that its mass balance holds. Returns whether
 * cards show something else of its boxes.
 * @param who actor id
 */
export async function returnOrder(
  tx: CatalogueTx,
  locks: Locks<'products' | 'boxes'>,
  deps: OrderDeps,
  who: string,
  whole: WholeOrder,
): Promise<boolean> {
  const lines = whole.lines.filter(({ leftOutReason }) => leftOutReason === null) // the others went back before
  return returnLines(tx, locks, deps, who, { ...whole, lines })
}

/** As `returnOrder`, for some of the lines. */
export async function returnLines(
  tx: CatalogueTx,
  locks: Locks<'products' | 'boxes'>,
  deps: OrderDeps,
  who: string,
  some: WholeOrder,
): Promise<boolean> {
  const { order, lines } = some
  const positions = lines.map(({ position }) => position)
  const boxes = some.boxes.filter(({ position }) => positions.includes(position))
  const whole = { ...some, boxes }
  const [, left] = await locks.products(lines.map(({ productId }) => productId))
  const recalled = await lockRecalls(
    left,
    boxes.map(({ boxId }) => boxId),
  )
  const back = lines.map((line) => {
    const kept = boxes.filter(({ position, boxId }) => position === line.position && recalled.has(boxId))
    const lost = sumOf(
      measureOf(line.unit),
      kept.map(({ amount }) => amount),
    )
    return [line.productId, unitsBack(line, lost)] as const
  })
  await changeStock(tx, back)
  const wasSold = order.status !== 'PLACED'
  const onCards = wasSold && (await recordSales(tx, left, deps, who, whole, { returned: true }))
  await tx
    .delete(orderLineBoxes)
    .where(and(eq(orderLineBoxes.orderId, order.id), inArray(orderLineBoxes.position, positions)))
  const isLost = await recordLosses(tx, deps, who, whole, recalled)
  return onCards || isLost
}

/** Why each of these boxes is recalled, of those that are. They stay locked, so that none is recalled meanwhile. */
export async function lockRecalls(
  locks: Locks<'boxes'>,
  boxIDs: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const [boxes] = await locks.boxes(boxIDs)
  for (const { id: boxID, recallId } of boxes.values()) {
    const recall = recallId === null ? undefined : await findRecall(locks.tx, boxID)
    if (recall !== undefined) found.set(boxID, recall.reason)
  }
  return found
}

/** The history of a sealed box has ended: its loss is in its balance alone. */
export async function recordLosses(
  tx: CatalogueTx,
  deps: OrderDeps,
  who: string,
  { lines, boxes }: WholeOrder,
  recalled: ReadonlyMap<string, string>,
): Promise<boolean> {
  const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
  let changed = false
  for (const [boxID, why] of recalled) {
    const reason = `Recalled: ${why}`
    const lost = boxes.flatMap(({ position, boxId, amount }) => {
      const line = lines.find((one) => one.position === position)
      return boxId === boxID && line !== undefined ? [{ line, amount }] : []
    })
    await tx.insert(boxLosses).values(
      lost.map(({ line: { productId, unit }, amount }) => ({
        boxId: boxID,
        productId,
        amount: amount.value,
        unit,
        reason,
        who,
      })),
    )
    if ((await lockBox(tx, boxID)).sealed) continue
    const facts = lost.map(({ line, amount }) => {
      const data = { ...amountData(line.title, amount), reason }
      return { kind: 'loss' as const, at, by: who, data, changesFreshness: false }
    })
    const { onCards } = await addRecords(tx, deps, boxID, facts)
    changed ||= onCards
  }
  return changed
}

/**
 * Records in each box what was packed from it, without the buyer. What comes back to a box that has been
 * sealed meanwhile is not recorded: its history has ended. Returns whether the public catalogue changed.
 * @param who actor id
 */
export async function recordSales(
  tx: CatalogueTx,
  locks: Locks<'boxes'>,
  deps: OrderDeps,
  who: string,
  { lines, boxes }: WholeOrder,
  more: { returned?: true },
): Promise<boolean> {
  const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
  const byBox = Map.groupBy(boxes, ({ boxId }) => boxId)
  const [held] = await locks.boxes(byBox.keys())
  let changed = false
  for (const [boxID, parts] of byBox) {
    if (more.returned && held.get(boxID)?.sealed) continue
    const sold = parts.flatMap((part) => {
      const line = lines.find(({ position }) => position === part.position)
      if (line === undefined) return []
      const data = { ...amountData(line.title, part.amount), ...more }
      return [{ part, fact: { kind: 'sale' as const, at, by: who, data, changesFreshness: false } }]
    })
    const { appended, onCards } = await addRecords(
      tx,
      deps,
      boxID,
      sold.map(({ fact }) => fact),
    )
    if (!more.returned)
      for (const [i, { part }] of sold.entries()) await notePlace(tx, part, appended[i]?.seq ?? null)
    changed ||= onCards
  }
  return changed
}

/** Notes where the history of a box says that this was sold, for whoever bought it. */
const notePlace = (
  tx: CatalogueTx,
  { orderId, position, boxId }: WholeOrder['boxes'][number],
  saleSeq: number | null,
): Promise<unknown> =>
  tx
    .update(orderLineBoxes)
    .set({ saleSeq })
    .where(
      and(
        eq(orderLineBoxes.orderId, orderId),
        eq(orderLineBoxes.position, position),
        eq(orderLineBoxes.boxId, boxId),
      ),
    )
