import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import type { OrderMove } from '@befaqt/domain/order'
import { invoiceNumber } from '@befaqt/domain/order-number'
import { movesFrom, type OrderState } from '@befaqt/domain/order-states'
import { eq, sql } from 'drizzle-orm'
import { boxRecalled, lockBox } from '#server/boxes/lock-box.ts'
import { addRecords } from '#server/boxes/records/add-records.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { lockProducts } from '#server/catalogue/products/change-many.ts'
import { changeStock } from '#server/catalogue/products/change-stock.ts'
import { orderEvents, orderLineBoxes, orders } from '#server/db/schema/orders.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { amountData } from '#server/orders/box-sales.ts'
import { nextNumber } from '#server/orders/number-sequence.ts'
import { type OrderRole, orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder, type OrderNews } from '#server/orders/order-emails.ts'
import { asksBuyer, orderView, type WholeOrder } from '#server/orders/order-views.ts'
import { lockOrder, readWholeOrder } from '#server/orders/read-orders.ts'
import { isWeighed } from './pack-order.ts'

/** Which email a state sends. PACKED sends one when the total is another than agreed. */
const newsOf: Partial<Record<OrderState, OrderNews>> = {
  READY: 'ready',
  SENT: 'sent',
  CANCELLED: 'cancelled',
}

/**
 * Moves an order to another state, with all that follows in one transaction: CANCELLED gives stock and slot back,
 * PACKED gets its invoice number and makes the sale a record of each box.
 * @param key of the signed link, for guests
 * @throws ShopError `order.not_found`, `order.state` with the moves there are, `order.asks_buyer`, `version.stale`,
 *   `box.sealed`, `box.recalled`, `auth.forbidden` for an order from a box that the key may not access
 */
export async function moveOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { status, reason, version }: OrderMove,
  key?: string,
): Promise<OrderView> {
  const { view } = await changeCatalogue(
    deps,
    async (tx) => {
      const order = await lockOrder(tx, id)
      const role = orderRole(deps, principal, order, key)
      const before = await readWholeOrder(tx, id)
      checkVersion(version, orderView(before, role))
      checkMove(before, role, status)
      if (leavesShop.includes(status)) await assertNotRecalled(tx, before)
      const onCards = await followUp(tx, deps, principal, before, status)
      await tx
        .update(orders)
        .set({ status, version: order.version + 1, updatedAt: sql`clock_timestamp()` })
        .where(eq(orders.id, id))
      const who = principal.kind === 'anonymous' ? null : actorId(principal)
      await tx.insert(orderEvents).values({ orderId: id, status, who, reason })
      const after = await readWholeOrder(tx, id)
      const isNews = status === 'PACKED' && order.totalCents !== order.agreedCents
      const news = isNews ? 'changed' : newsOf[status]
      if (news !== undefined) await mailOrder(tx, deps, news, after, reason)
      return { view: orderView(after, role), onCards }
    },
    ({ onCards }) => onCards,
  )
  return view
}

/** Moves that fish of a recalled box does not make. COMPLETED may be said of what was handed out before. */
const leavesShop: readonly OrderState[] = ['PACKED', 'READY', 'SENT']

/** Locks the boxes of an order, so that none is recalled meanwhile. @throws ShopError `box.recalled` */
async function assertNotRecalled(tx: CatalogueTx, { boxes }: WholeOrder): Promise<void> {
  for (const boxID of [...new Set(boxes.map(({ boxId }) => boxId))].sort())
    if ((await lockBox(tx, boxID)).recallId !== null) throw boxRecalled(boxID)
}

function checkMove(whole: WholeOrder, role: OrderRole, to: OrderState): void {
  const { order } = whole
  const moves = movesFrom(order.status, order.kind, role)
  if (!moves.includes(to))
    throw new ShopError('order.state', `This order is ${order.status}: it can’t become ${to}.`, {
      details: { status: order.status, moves },
    })
  if (to !== 'PACKED') return
  if (!isWeighed(whole))
    throw new ShopError('order.state', 'Not all of it is weighed yet.', {
      details: { status: order.status, moves },
    })
  if (asksBuyer(order))
    throw new ShopError(
      'order.asks_buyer',
      'It costs more than the buyer agreed to, who has to accept it first.',
    )
}

/** What a move brings about. Returns whether the public catalogue changed. */
async function followUp(
  tx: CatalogueTx,
  deps: OrderDeps,
  principal: Principal,
  before: WholeOrder,
  to: OrderState,
): Promise<boolean> {
  const { order, lines, boxes } = before
  if (to !== 'PACKED' && to !== 'CANCELLED') return false
  for (const { boxId } of boxes) assertBoxAccess(principal, boxId)
  if (to === 'CANCELLED') {
    const quantities = new Map(lines.map(({ productId, quantity }) => [productId, quantity]))
    const products = await lockProducts(tx, [...quantities.keys()])
    const isShown = await changeStock(tx, quantities, products)
    const isPacked = order.status !== 'PLACED'
    const onCards = isPacked && (await recordSales(tx, deps, principal, before, { returned: true }))
    await tx.delete(orderLineBoxes).where(eq(orderLineBoxes.orderId, order.id))
    return isShown || onCards
  }
  const onCards = await recordSales(tx, deps, principal, before, {})
  const { year, count } = await nextNumber(tx, 'invoice', deps.siteFile.market.timeZone)
  await tx
    .update(orders)
    .set({ invoiceNumber: invoiceNumber(year, count) })
    .where(eq(orders.id, order.id))
  return onCards
}

/**
 * Makes what was packed a record of each box, without a word of who bought it. What comes back to a box that has been
 * sealed meanwhile is not recorded: its history has ended.
 */
async function recordSales(
  tx: CatalogueTx,
  deps: OrderDeps,
  principal: Principal,
  { lines, boxes }: WholeOrder,
  more: { returned?: true },
): Promise<boolean> {
  const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
  const byBox = Map.groupBy(boxes, ({ boxId }) => boxId)
  let changed = false
  for (const boxID of [...byBox.keys()].sort()) {
    if (more.returned && (await lockBox(tx, boxID)).sealed) continue
    const facts = (byBox.get(boxID) ?? []).flatMap(({ position, amount }) => {
      const line = lines.find((one) => one.position === position)
      if (line === undefined) return []
      const data = { ...amountData(line.title, line.unit, amount), ...more }
      return [{ kind: 'sale' as const, at, by: actorId(principal), data, changesFreshness: false }]
    })
    const { onCards } = await addRecords(tx, deps, boxID, facts)
    changed ||= onCards
  }
  return changed
}
