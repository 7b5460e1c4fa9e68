import type { OrderView } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import type { OrderSlot } from '@befaqt/domain/order'
import { eq, sql } from 'drizzle-orm'
import { orderEvents, orders } from '#server/db/schema/orders.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { assertMay } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailAct } from '#server/orders/order-emails.ts'
import { orderView } from '#server/orders/order-views.ts'
import { lockOrder, readWholeOrder } from '#server/orders/read-orders.ts'
import { lockSlot, NOBODY, plainSlot } from '#server/orders/slots.ts'

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
    const to = await lockSlot(locks, slot, NOBODY, { kind: order.kind, postcode })
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
