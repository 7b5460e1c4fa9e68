import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { PackedLines } from '@befaqt/domain/order'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { boxNotFound, boxRecalled, boxSealed, lockBoxesInOrder } from '#server/boxes/lock-box.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { withSellable } from '#server/catalogue/sellable.ts'
import type { Tx } from '#server/db/client.ts'
import { orderLineBoxes, orderLines, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { assertLeft } from '#server/orders/box-sales.ts'
import { type OrderRole, shopRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder } from '#server/orders/order-emails.ts'
import {
  asksBuyer,
  type OrderLineRow,
  orderView,
  totalsOfOrder,
  type WholeOrder,
} from '#server/orders/order-views.ts'
import { lockOrder, readWholeOrder } from '#server/orders/read-orders.ts'

type Packed = PackedLines['lines'][number] & { line: OrderLineRow }

/**
 * Sets the weights and boxes of lines of a PLACED order. When all is weighed and it costs more than the buyer agreed
 * to, with the tolerance, the buyer is asked by email.
 * @throws ShopError `order.not_found`, `order.state`, `version.stale`, `input.invalid`, `box.not_found`, `box.sealed`,
 *   `box.recalled`, `box.insufficient`, `auth.forbidden` for a box that the key may not access
 */
export async function packOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  input: PackedLines,
  version?: number,
): Promise<OrderView> {
  const packing = async (tx: CatalogueTx) => {
    await lockOrder(tx, id)
    const role = await shopRole(tx, principal, id)
    const before = await readWholeOrder(tx, id)
    checkVersion(version, orderView(before, role))
    const products = before.lines.map(({ productId }) => productId)
    return withSellable(tx, products, () => packLocked(tx, deps, { principal, role }, before, input))
  }
  const { made } = await changeCatalogue(deps, packing, ({ isShown }) => isShown)
  return made
}

async function packLocked(
  tx: CatalogueTx,
  deps: OrderDeps,
  { principal, role }: { principal: Principal; role: OrderRole },
  before: WholeOrder,
  input: PackedLines,
): Promise<OrderView> {
  const { id, status } = before.order
  if (status !== 'PLACED')
    throw new ShopError('order.state', `This order is ${status}: its weights can’t change.`, {
      details: { status },
    })
  const packed = matchLines(before, input)
  const positions = packed.map(({ position }) => position)
  const replaced = before.boxes.filter(({ position }) => positions.includes(position))
  for (const { boxID } of packed.flatMap(({ boxes }) => boxes)) assertBoxAccess(principal, boxID)
  for (const { boxId } of replaced) assertBoxAccess(principal, boxId)
  await tx
    .delete(orderLineBoxes)
    .where(and(eq(orderLineBoxes.orderId, id), inArray(orderLineBoxes.position, positions)))
  const assigned = await assignBoxes(tx, id, packed)
  const weighed = await writeWeights(tx, principal, id, packed)
  const kept = before.boxes.filter(({ position }) => !positions.includes(position))
  const after: WholeOrder = {
    ...before,
    lines: before.lines.map((line) => weighed.get(line.position) ?? line),
    boxes: [...kept, ...assigned],
  }
  return orderView(await writeTotal(tx, deps, after), role)
}

/** The lines that were packed. @throws ShopError `input.invalid` with the path of what does not fit */
function matchLines({ lines }: WholeOrder, input: PackedLines): Packed[] {
  return input.lines.map((packed, i) => {
    const line = lines.find(({ position }) => position === packed.position)
    if (line === undefined) throw fieldError(`lines[${i}].position`, 'There is no such line.')
    const isWeighed = line.orderedGrams !== null
    if (isWeighed !== (packed.grams !== undefined))
      throw fieldError(
        `lines[${i}].grams`,
        isWeighed ? 'Its weight is missing.' : 'It is not sold by weight.',
      )
    const all = packed.grams ?? line.quantity
    const sum = packed.boxes.reduce((total, { amount }) => total + amount, 0)
    if (packed.boxes.length > 0 && sum !== all)
      throw fieldError(`lines[${i}].boxes`, `The boxes must add up to ${all}, not ${sum}.`)
    return { ...packed, line }
  })
}

type LineBox = WholeOrder['boxes'][number]

/** Assigns boxes, locked in one order. */
async function assignBoxes(tx: Tx, orderId: string, packed: readonly Packed[]): Promise<LineBox[]> {
  const assigned = packed.flatMap(({ line, boxes }) => boxes.map((box) => ({ ...box, line })))
  const byBox = Map.groupBy(assigned, ({ boxID }) => boxID)
  const held = await lockBoxesInOrder(tx, byBox.keys())
  for (const [boxID, parts] of byBox) {
    const box = held.get(boxID)
    if (box === undefined) throw boxNotFound()
    if (box.recallId !== null) throw boxRecalled(boxID)
    if (box.sealed) throw boxSealed()
    const wanted = parts.map(({ line: { productId: product_id, unit }, amount }) => ({
      product_id,
      unit,
      amount,
    }))
    await assertLeft(tx, boxID, wanted)
  }
  const values = assigned.map(({ line, boxID, amount }) => ({
    orderId,
    position: line.position,
    boxId: boxID,
    amount,
  }))
  if (values.length > 0) await tx.insert(orderLineBoxes).values(values)
  return values.map((box) => ({ ...box, recall: null })).sort((a, b) => (a.boxId < b.boxId ? -1 : 1))
}

/** Returns the lines as they are now, by position. */
async function writeWeights(
  tx: Tx,
  principal: Principal,
  orderId: string,
  packed: readonly Packed[],
): Promise<Map<number, OrderLineRow>> {
  const written = new Map<number, OrderLineRow>()
  for (const { position, grams, scale } of packed) {
    const [line] = await tx
      .update(orderLines)
      .set({
        finalGrams: grams ?? null,
        weighedBy: actorId(principal),
        weighedAt: sql`clock_timestamp()`,
        scale: scale ?? null,
      })
      .where(and(eq(orderLines.orderId, orderId), eq(orderLines.position, position)))
      .returning()
    if (line !== undefined) written.set(position, line)
  }
  return written
}

/** Is every line weighed that is sold by weight? */
export const isWeighed = ({ lines }: Pick<WholeOrder, 'lines'>): boolean =>
  lines.every(({ orderedGrams, finalGrams }) => orderedGrams === null || finalGrams !== null)

/** Stores the total of the lines as they are now, and asks the buyer where it has to. */
async function writeTotal(tx: Tx, deps: OrderDeps, now: WholeOrder): Promise<WholeOrder> {
  const { order: before } = now
  const { total } = totalsOfOrder(now.lines, before.deliveryCents)
  const [order] = await tx
    .update(orders)
    .set({ totalCents: total, version: before.version + 1, updatedAt: sql`clock_timestamp()` })
    .where(eq(orders.id, before.id))
    .returning()
  const after = { ...now, order: order ?? before }
  const mayAsk = isWeighed(after) && asksBuyer(after.order)
  if (mayAsk && total !== before.totalCents) await mailOrder(tx, deps, 'changed', after)
  return after
}
