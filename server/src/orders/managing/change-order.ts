import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { slotText } from '@befaqt/domain/moment-text'
import type { LeftOutLine, OrderSlot } from '@befaqt/domain/order'
import { preparedTitle } from '@befaqt/domain/preparation'
import { and, eq, sql } from 'drizzle-orm'
import { type CatalogueTx, changeCatalogue, withSellable } from '#server/catalogue/index.ts'
import { orderEvents, orderLines, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { lockSlot } from '../available-times.ts'
import { assertMay, type OrderRole, shopRole } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { mailAct } from '../order-emails.ts'
import { orderView, type WholeOrder } from '../order-views.ts'
import { lockOrder, type OrderLocks, readWholeOrder } from '../read-orders.ts'
import { plainSlot } from '../slots.ts'
import { writeTotal } from './packed-lines.ts'
import { returnLines } from './return-order.ts'

/**
 * Moves an order to another slot, and notifies the buyer. The new one is reserved before the old one is free, in one
 * transaction. An order that is in that slot already stays as it is.
 * @throws ShopError `order.not_found`, `order.state`, `version.stale`, `slot.unavailable`
 */
export async function changeSlot(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { slot, version }: OrderSlot,
): Promise<OrderView> {
  return deps.db.transaction(async (tx) => {
    const [order, locks] = await lockOrder(tx, id)
    const before = await readWholeOrder(tx, id)
    if (order.slotId === slot) return orderView(before, 'shop')
    checkVersion(version, orderView(before, 'shop'))
    assertMay(order, 'change the time')
    const postcode = before.contact?.address?.postcode
    const to = await lockSlot(locks, { id: slot, kind: order.kind, postcode }, deps.siteFile.orders)
    await tx
      .update(orders)
      .set({
        slotId: to.id,
        slotStartsAt: to.startsAt,
        version: order.version + 1,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(eq(orders.id, id))
    const reason = `Moved from ${slotText(plainSlot(before.slot))} to ${slotText(plainSlot(to))}.`
    await tx
      .insert(orderEvents)
      .values({ orderId: id, status: order.status, who: actorId(principal), reason })
    const after = await readWholeOrder(tx, id)
    await mailAct(tx, deps, 'change the time', after, reason)
    return orderView(after, 'shop')
  })
}

/**
 * Leaves a line out of a PLACED order: it costs nothing, what it held goes back as with a cancellation, and the buyer is
 * told by one email. It stays so; again with the same reason changes nothing.
 * @throws ShopError `order.not_found`, `order.state` when it is packed or nothing would be left, `version.stale`,
 *   `input.invalid` for a line that is not there, `auth.forbidden` for a box that the key may not access
 */
export async function leaveOut(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { position, reason }: LeftOutLine,
  version?: number,
): Promise<OrderView> {
  const { made } = await changeCatalogue(
    deps,
    async (tx) => {
      const [, locks] = await lockOrder(tx, id)
      const role = await shopRole(tx, principal, id)
      const before = await readWholeOrder(tx, id)
      const line = before.lines.find((one) => one.position === position)
      if (line === undefined) throw fieldError('position', 'There is no such line.')
      if (line.leftOutReason === reason) return { made: orderView(before, role), isShown: false }
      checkVersion(version, orderView(before, role))
      assertLeavable(before, position)
      for (const box of before.boxes) if (box.position === position) assertBoxAccess(principal, box.boxId)
      return withSellable(tx, [line.productId], () =>
        write(tx, locks, deps, principal, before, { line, reason, role }),
      )
    },
    ({ isShown }) => isShown,
    { order: id },
  )
  return made
}

/** @throws ShopError `order.state` */
function assertLeavable({ order, lines }: WholeOrder, position: number): void {
  const details = { status: order.status }
  assertMay(order, 'leave out')
  const rest = lines.filter((line) => line.position !== position && line.leftOutReason === null)
  if (rest.length === 0)
    throw new ShopError('order.state', 'Nothing would be left of this order: cancel it instead.', { details })
  if (lines.find((line) => line.position === position)?.leftOutReason !== null)
    throw new ShopError('order.state', 'It was left out before, for another reason.', { details })
}

async function write(
  tx: CatalogueTx,
  locks: OrderLocks,
  deps: OrderDeps,
  principal: Principal,
  before: WholeOrder,
  { line, reason, role }: { line: WholeOrder['lines'][number]; reason: string; role: OrderRole },
): Promise<OrderView> {
  const { id } = before.order
  const who = actorId(principal)
  await returnLines(tx, locks, deps, who, { ...before, lines: [line] })
  const [left] = await tx
    .update(orderLines)
    .set({
      leftOutReason: reason,
      finalGrams: null,
      noBoxReason: null,
      weighedBy: null,
      weighedAt: null,
      scale: null,
    })
    .where(and(eq(orderLines.orderId, id), eq(orderLines.position, line.position)))
    .returning()
  const told = `Left out: ${preparedTitle(line.title, line.preparation?.kind)}. ${reason}`
  await tx.insert(orderEvents).values({ orderId: id, status: 'PLACED', who, reason: told })
  const lines = before.lines.map((one) => (one.position === line.position ? (left ?? one) : one))
  const boxes = before.boxes.filter(({ position }) => position !== line.position)
  const after = await writeTotal(tx, deps, { ...before, lines, boxes })
  await mailAct(tx, deps, 'leave out', after, told)
  return orderView(after, role)
}
