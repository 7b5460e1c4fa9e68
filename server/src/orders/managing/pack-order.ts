import type { OrderView } from '@befaqt/domain/api/order-api'
import type { PackedLines } from '@befaqt/domain/order'
import { mayDo } from '@befaqt/domain/order-states'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { withSellable } from '#server/catalogue/sellable.ts'
import type { Tx } from '#server/db/client.ts'
import { orderEvents, orderLineBoxes, orderLines } from '#server/db/schema/orders.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { assertMay, type OrderRole, shopRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { type OrderLineRow, orderView, type WholeOrder } from '#server/orders/order-views.ts'
import { lockOrder, type OrderLocks, readWholeOrder } from '#server/orders/read-orders.ts'
import { assertBoxNamed, assignBoxes, matchLines, type Packed, writeTotal } from './packed-lines.ts'
import { replaceBoxes } from './replace-boxes.ts'

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
  const assigned = await assignBoxes(locks, id, packed)
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
    const reason = `${line.title} is from no box: ${line.noBoxReason}`
    await tx
      .insert(orderEvents)
      .values({ orderId, status: 'PLACED', who: actorId(principal), reason, internal: true })
  }
  return written
}
