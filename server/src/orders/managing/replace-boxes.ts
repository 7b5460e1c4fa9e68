import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { PackedLines } from '@befaqt/domain/order'
import { unitsOf } from '@befaqt/domain/order-totals'
import { and, eq, inArray } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { changeStock } from '#server/catalogue/products/bulk-change.ts'
import type { Locks } from '#server/db/lock.ts'
import { orderEvents, orderLineBoxes } from '#server/db/schema/orders.ts'
import { recallNotices } from '#server/db/schema/recalls.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import type { OrderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailAct } from '#server/orders/order-emails.ts'
import { orderView, type WholeOrder } from '#server/orders/order-views.ts'
import { linesToDecide } from '#server/orders/recalling/to-decide.ts'
import { assignBoxes, matchLines, type Packed, writeTotal } from './packed-lines.ts'
import { recordSales } from './record-sales.ts'
import { lockRecalls, recordLosses } from './return-order.ts'

/**
 * Replaces, in a packed order that is still in the shop, what came from a box that is recalled or off sale by as much
 * from another box. Weights and total stay, as the invoice has them. What came from a recalled box is a loss of it; what
 * came from one that is off sale goes back. A buyer who was told of the recall is told of this. The order is locked.
 * @throws ShopError `order.state` for a line about which nothing is to be decided, `input.invalid` for another weight
 */
export async function replaceBoxes(
  tx: CatalogueTx,
  locks: Locks<'products' | 'boxes'>,
  deps: OrderDeps,
  { principal, role }: { principal: Principal; role: OrderRole },
  before: WholeOrder,
  input: PackedLines,
): Promise<OrderView> {
  const { id, status } = before.order
  const packed = matchLines(before, input)
  await assertReplaceable(tx, before, packed)
  const positions = packed.map(({ position }) => position)
  const [products, left] = await locks.products(packed.map(({ line }) => line.productId))
  const old = { ...before, boxes: before.boxes.filter(({ position }) => positions.includes(position)) }
  for (const { boxId } of old.boxes) assertBoxAccess(principal, boxId)
  for (const { boxID } of packed.flatMap(({ boxes }) => boxes)) assertBoxAccess(principal, boxID)
  const named = packed.flatMap(({ boxes }) => boxes.map(({ boxID }) => boxID))
  await left.boxes([...old.boxes.map(({ boxId }) => boxId), ...named])
  const who = actorId(principal)
  const recalled = await lockRecalls(
    left,
    old.boxes.map(({ boxId }) => boxId),
  )
  await recordSales(tx, left, deps, who, old, { returned: true })
  await tx
    .delete(orderLineBoxes)
    .where(and(eq(orderLineBoxes.orderId, id), inArray(orderLineBoxes.position, positions)))
  await recordLosses(tx, deps, who, old, recalled)
  const fromStock = packed.map(({ line: { productId }, line }) => {
    const stock = Math.max(0, products.get(productId)?.stock ?? 0) // the box may hold more than was for sale
    return [productId, -Math.min(stock, unitsLost(line, old, recalled))] as const
  })
  await changeStock(tx, new Map(fromStock))
  const boxes = await assignBoxes(left, id, packed)
  await recordSales(tx, left, deps, who, { ...before, boxes }, {})
  const events = packed.map(({ line, boxes }) => {
    const names = boxes.map(({ boxID }) => boxID).join(', ')
    const from = old.boxes.filter(({ position }) => position === line.position).map(({ boxId }) => boxId)
    return {
      orderId: id,
      status,
      who,
      reason: `${line.title}: box ${from.join(', ')} replaced by ${names}`,
      internal: true,
    }
  })
  await tx.insert(orderEvents).values(events)
  const kept = before.boxes.filter(({ position }) => !positions.includes(position))
  const after = await writeTotal(tx, deps, { ...before, boxes: [...kept, ...boxes] })
  if ((await tx.$count(recallNotices, eq(recallNotices.orderId, id))) > 0)
    await mailAct(tx, deps, 'replace boxes', after)
  return orderView(after, role)
}

async function assertReplaceable(
  tx: CatalogueTx,
  { order }: WholeOrder,
  packed: readonly Packed[],
): Promise<void> {
  const undecided = (await linesToDecide(tx, { only: order.id })).get(order.id)
  for (const [i, { position, grams, boxes, line }] of packed.entries()) {
    if (undecided?.has(position) !== true)
      throw new ShopError('order.state', `This order is ${order.status}: its weights can’t change.`, {
        details: { status: order.status },
      })
    if (boxes.length === 0) throw fieldError(`lines[${i}].boxes`, 'Name the box that replaces it.')
    if ((grams ?? null) !== line.finalGrams)
      throw fieldError(`lines[${i}].grams`, `It was invoiced with ${line.finalGrams} g: replace as much.`)
  }
}

/** Units of a line that came from recalled boxes, as far as stock counts them. */
function unitsLost(
  line: Packed['line'],
  { boxes }: Pick<WholeOrder, 'boxes'>,
  recalled: ReadonlyMap<string, string>,
): number {
  const lost = boxes
    .filter(({ position, boxId }) => position === line.position && recalled.has(boxId))
    .reduce((sum, { amount }) => sum + amount, 0)
  return Math.min(line.quantity, unitsOf(line.unit, lost))
}
