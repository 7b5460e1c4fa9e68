import type { ManagedOrder, SlotSheet } from '@befaqt/domain/api/order-api'
import { and, asc, eq, ne } from 'drizzle-orm'
import { actorNames } from '#server/audit/history.ts'
import { type Db, ONE_MOMENT } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { shopRole, withLinesOf } from '#server/orders/order-access.ts'
import { orderView } from '#server/orders/order-views.ts'
import { readWholeOrder, readWholeOrders } from '#server/orders/read-orders.ts'
import { linesToDecide } from '#server/orders/recalling/to-decide.ts'
import { boxedPositions, boxesOfProducts } from './boxes-of-products.ts'
import { readSlot } from './manage-slots.ts'

/** Orders of one sheet: what a slot takes in practice, and what a page can still print. */
const MAX_SHEET = 500

/** An order with who did what, and the boxes that it may be packed from. @throws ShopError `order.not_found` */
export function managedOrder(db: Db, principal: Principal, id: string): Promise<ManagedOrder> {
  return db.transaction(async (tx) => {
    const whole = await readWholeOrder(tx, id)
    const role = await shopRole(tx, principal, id)
    const view = orderView(whole, role)
    const { lines, events } = whole
    const weighed = lines.flatMap(({ position, weighedBy, weighedAt, scale }) =>
      weighedBy === null ? [] : [{ position, weighedBy, weighedAt, scale }],
    )
    const names = await actorNames(tx, [
      ...new Set([...events.flatMap(({ who }) => who ?? []), ...weighed.map(({ weighedBy }) => weighedBy)]),
    ])
    const nameOf = (who: string | null): string | null =>
      who === null || role === 'boxes' ? null : (names.get(who) ?? who)
    const products = lines.map(({ productId }) => productId)
    return {
      ...view,
      events: view.events.map((event, i) => ({ ...event, who: nameOf(events[i]?.who ?? null) })),
      weighings: weighed.map(({ position, weighedBy, weighedAt, scale }) => ({
        position,
        who: names.get(weighedBy) ?? weighedBy,
        at: timeText(weighedAt),
        scale,
      })),
      paymentProblem: whole.payment?.problem ?? null,
      paymentReference: role === 'boxes' ? null : (whole.payment?.reference ?? null),
      toDecide: [...((await linesToDecide(tx, { only: id })).get(id) ?? [])].map(([position, why]) => ({
        position,
        why,
      })),
      boxed: await boxedPositions(tx, lines),
      noBox: lines.flatMap(({ position, noBoxReason }) =>
        noBoxReason === null ? [] : [{ position, reason: noBoxReason }],
      ),
      boxes: await boxesOfProducts(tx, products, { but: id, allowed: allowedBoxes(principal) }),
    }
  }, ONE_MOMENT)
}

/** A slot with its orders and the boxes that they may be packed from. @throws ShopError `not_found` */
export function slotSheet(db: Db, principal: Principal, id: string): Promise<SlotSheet> {
  return db.transaction(async (tx) => {
    const slot = await readSlot(tx, id)
    const allowed = allowedBoxes(principal)
    const role = allowed === null ? 'shop' : 'boxes'
    const ids = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(and(eq(orders.slotId, id), ne(orders.status, 'CANCELLED'), withLinesOf(allowed)))
      .orderBy(asc(orders.number))
      .limit(MAX_SHEET)
    const all = await readWholeOrders(
      tx,
      ids.map((row) => row.id),
    )
    const products = new Set(all.flatMap(({ lines }) => lines.map(({ productId }) => productId)))
    const boxes = await boxesOfProducts(tx, [...products], { allowed })
    return { slot, orders: all.map((whole) => orderView(whole, role)), boxes }
  }, ONE_MOMENT)
}
