import { measureOf, sumOf, unitsOf } from '@befaqt/domain/amount'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { PackedLines } from '@befaqt/domain/order'
import { mayDo } from '@befaqt/domain/order-states'
import { preparedTitle } from '@befaqt/domain/preparation'
import { plus } from '@befaqt/domain/quantity'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type CatalogueTx, changeCatalogue, changeStock, withSellable } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import { orderEvents, orderLineBoxes, orderLines } from '#server/db/schema/orders.ts'
import { recallNotices } from '#server/db/schema/recalls.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { assertMay, type OrderRole, shopRole } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { mailAct } from '../order-emails.ts'
import { type OrderLineRow, orderView, type WholeOrder } from '../order-views.ts'
import { lockOrder, type OrderLocks, readWholeOrder } from '../read-orders.ts'
import { linesToDecide } from '../recalling/read-recall.ts'
import { assertBoxNamed, assignBoxes, matchLines, type Packed, writeTotal } from './packed-lines.ts'
import { lockRecalls, recordLosses, recordSales } from './return-order.ts'

/**
 * Sets the weights and boxes of lines of a PLACED order; of one that is packed, the boxes of lines whose box may not be
 * sold any more (`replace-boxes.ts`). When all is weighed and it costs more than the buyer agreed to, with the tolerance,
 * the buyer is asked by email.
 * @throws ShopError `order.not_found`, `order.state`, `version.stale`, `input.invalid`, `box.not_found`, `box.sealed`,
 *   `box.recalled`, `box.off_sale`, `box.insufficient`, `auth.forbidden` for a box that the key may not access
 */
export async function packOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  input: PackedLines,
  version?: number,
): Promise<OrderView> {
  const packing = async (tx: CatalogueTx) => {
    const [, locks] = await lockOrder(tx, id)
    const role = await shopRole(tx, principal, id)
    const before = await readWholeOrder(tx, id)
    checkVersion(version, orderView(before, role))
    const products = before.lines.map(({ productId }) => productId)
    return withSellable(tx, products, () => packLocked(tx, locks, deps, { principal, role }, before, input))
  }
  const { made } = await changeCatalogue(deps, packing, ({ isShown }) => isShown, { order: id })
  return made
}

async function packLocked(
  tx: CatalogueTx,
  locks: OrderLocks,
  deps: OrderDeps,
  { principal, role }: { principal: Principal; role: OrderRole },
  before: WholeOrder,
  input: PackedLines,
): Promise<OrderView> {
  const { id, status } = before.order
  if (mayDo(status, 'replace boxes')) return replaceBoxes(tx, locks, deps, { principal, role }, before, input)
  assertMay(before.order, 'weigh')
  const packed = matchLines(before, input)
  await assertBoxNamed(tx, packed)
  const positions = packed.map(({ position }) => position)
  const replaced = before.boxes.filter(({ position }) => positions.includes(position))
  for (const { boxID } of packed.flatMap(({ boxes }) => boxes)) assertBoxAccess(principal, boxID)
  for (const { boxId } of replaced) assertBoxAccess(principal, boxId)
  await tx
    .delete(orderLineBoxes)
    .where(and(eq(orderLineBoxes.orderId, id), inArray(orderLineBoxes.position, positions)))
  const assigned = await assignBoxes(locks, deps, id, packed)
  const weighed = await writeWeights(tx, principal, id, packed)
  const kept = before.boxes.filter(({ position }) => !positions.includes(position))
  const after: WholeOrder = {
    ...before,
    lines: before.lines.map((line) => weighed.get(line.position) ?? line),
    boxes: [...kept, ...assigned],
  }
  return orderView(await writeTotal(tx, deps, after), role)
}

/** Returns the lines as they are now, by position. */
async function writeWeights(
  tx: Tx,
  principal: Principal,
  orderId: string,
  packed: readonly Packed[],
): Promise<Map<number, OrderLineRow>> {
  const written = new Map<number, OrderLineRow>()
  for (const { position, grams, scale, boxes, noBox, line: before } of packed) {
    const [line] = await tx
      .update(orderLines)
      .set({
        finalGrams: grams ?? null,
        weighedBy: actorId(principal),
        weighedAt: sql`clock_timestamp()`,
        scale: scale ?? null,
        noBoxReason: boxes.length === 0 ? (noBox ?? null) : null,
      })
      .where(and(eq(orderLines.orderId, orderId), eq(orderLines.position, position)))
      .returning()
    if (line === undefined) continue
    written.set(position, line)
    if (line.noBoxReason === null || line.noBoxReason === before.noBoxReason) continue
    const reason = `${preparedTitle(line.title, line.preparation?.kind)} is from no box: ${line.noBoxReason}`
    await tx
      .insert(orderEvents)
      .values({ orderId, status: 'PLACED', who: actorId(principal), reason, internal: true })
  }
  return written
}

/**
 * Replaces, in a packed order that is still in the shop, what came from a box that is recalled or off sale by as much
 * from another box. Weights and total stay, as the invoice has them. What came from a recalled box is a loss of it; what
 * came from one that is off sale goes back. A buyer who was told of the recall is told of this. The order is locked.
 * @throws ShopError `order.state` for a line about which nothing is to be decided, `input.invalid` for another weight
 */
async function replaceBoxes(
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
  const fromStock = [...Map.groupBy(packed, ({ line }) => line.productId)].map(([productId, of]) => {
    const stock = Math.max(0, products.get(productId)?.stock ?? 0) // the box may hold more than was for sale
    const lost = of.reduce((sum, { line }) => plus(sum, unitsLost(line, old, recalled)), 0)
    return [productId, -Math.min(stock, lost)] as const
  })
  await changeStock(tx, fromStock)
  const boxes = await assignBoxes(left, deps, id, packed)
  await recordSales(tx, left, deps, who, { ...before, boxes }, {})
  const events = packed.map(({ line, boxes }) => {
    const names = boxes.map(({ boxID }) => boxID).join(', ')
    const from = old.boxes.filter(({ position }) => position === line.position).map(({ boxId }) => boxId)
    return {
      orderId: id,
      status,
      who,
      reason: `${preparedTitle(line.title, line.preparation?.kind)}: box ${from.join(', ')} replaced by ${names}`,
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
  const lost = boxes.filter(({ position, boxId }) => position === line.position && recalled.has(boxId))
  const amount = sumOf(
    measureOf(line.unit),
    lost.map((box) => box.amount),
  )
  return Math.min(line.quantity, unitsOf(line.unit, amount))
}
