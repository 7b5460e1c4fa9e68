import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { formatDollars } from '@befaqt/domain/money'
import type { OrderMove } from '@befaqt/domain/order'
import { invoiceNumber } from '@befaqt/domain/order-number'
import type { OrderState } from '@befaqt/domain/order-states'
import { unpaidByCard } from '@befaqt/domain/payment'
import { eq, sql } from 'drizzle-orm'
import { assertOnSale, lockBoxesInOrder } from '#server/boxes/lock-box.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { withSellable } from '#server/catalogue/sellable.ts'
import { orderEvents, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, hasRight, type Principal, SYSTEM } from '#server/identity/principal.ts'
import { nextNumber } from '#server/orders/number-sequence.ts'
import { assertOnlyOwnBoxes, type OrderRole, orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder, type OrderNews } from '#server/orders/order-emails.ts'
import { asksBuyer, orderView, paymentSums, type WholeOrder } from '#server/orders/order-views.ts'
import { queueSettling } from '#server/orders/paying/queue-settling.ts'
import { lockOrder, readWholeOrder } from '#server/orders/read-orders.ts'
import { boxedPositions } from './boxes-of-products.ts'
import { isWeighed } from './packed-lines.ts'
import { recordSales } from './record-sales.ts'
import { returnOrder } from './return-order.ts'

/** Which email a state sends. PACKED sends one when the total is another than agreed. */
const newsOf: Partial<Record<OrderState, OrderNews>> = {
  READY: 'ready',
  SENT: 'sent',
  CANCELLED: 'cancelled',
}

/**
 * Moves an order to another state, with all that follows in one transaction: CANCELLED gives stock and slot back
 * (`return-order.ts`), PACKED gets its invoice number and makes the sale a record of each box.
 * Before it is handed out, what was to be paid by card has to be paid, or said to be paid otherwise.
 * @param key of the signed link, for guests
 * @throws ShopError `order.not_found`, `order.state` with the moves there are, `order.asks_buyer`, `order.unpaid`,
 *   `version.stale`, `box.sealed`, `box.recalled`, `box.off_sale`, `auth.forbidden` for an order from a box that the key may not access
 */
export async function moveOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { status, reason, paid, version }: OrderMove,
  key?: string,
): Promise<OrderView> {
  const { view } = await changeCatalogue(
    deps,
    async (tx) => {
      const order = await lockOrder(tx, id)
      const role = await orderRole(deps, tx, principal, order, key)
      const before = await readWholeOrder(tx, id)
      assertOnlyOwnBoxes(role, principal, before.boxes)
      checkVersion(version, orderView(before, role))
      checkMove(before, role, status)
      const paidCents = checkPaid(before, status, paid)
      if (leavesShop(order.status, status)) await assertMayLeave(tx, before)
      if (status === 'PACKED') await assertBoxesNamed(tx, before)
      const who = principal.kind === 'anonymous' ? null : actorId(principal)
      const by = { principal, who, role }
      const onCards = await applyMove(tx, deps, by, before, { status, reason, paidCents })
      return { view: orderView(await readWholeOrder(tx, id), role), onCards }
    },
    ({ onCards }) => onCards,
    { order: id },
  )
  return view
}

/**
 * Moves a locked order that may be moved, with all that follows; what its payment needs is queued. Returns whether the
 * public catalogue changed. The reason is emailed only when the shop gives it: anybody can order in anybody's name, and
 * would have the shop send what they typed.
 * @param by `who`: actor id for the order's history; null: the guest who ordered
 */
export async function applyMove(
  tx: CatalogueTx,
  deps: OrderDeps,
  { principal, who, role }: { principal: Principal; who: string | null; role: OrderRole },
  before: WholeOrder,
  { status, reason, paidCents = null }: { status: OrderState; reason: string; paidCents?: number | null },
): Promise<boolean> {
  const { id, version, totalCents, agreedCents } = before.order
  const products = before.lines.map(({ productId }) => productId)
  const { made: onCards, isShown } = await withSellable(tx, products, async () => {
    const onCards = await followUp(tx, deps, principal, before, status)
    await tx
      .update(orders)
      // It counts for no network any more.
      .set({ status, version: version + 1, updatedAt: sql`clock_timestamp()`, network: null })
      .where(eq(orders.id, id))
    return onCards
  })
  await tx.insert(orderEvents).values({ orderId: id, status, who, reason, paidCents })
  const isNews = status === 'PACKED' && totalCents !== agreedCents
  const news = isNews ? 'changed' : newsOf[status]
  if (news !== undefined)
    await mailOrder(tx, deps, news, await readWholeOrder(tx, id), role === 'buyer' ? '' : reason)
  const settles = status === 'PACKED' || status === 'CANCELLED' || paidCents !== null
  if (settles && before.payment !== null) await queueSettling(tx, before.payment.id)
  return onCards || isShown
}

/**
 * Moves that fish of a box that is recalled or off sale does not make. What is on its way has left: that it arrived may
 * still be said.
 */
const leavesShop = (from: OrderState, to: OrderState): boolean =>
  to === 'PACKED' || to === 'READY' || to === 'SENT' || (to === 'COMPLETED' && from !== 'SENT')

/** Locks the boxes of an order, so that none is stopped meanwhile. @throws ShopError `box.recalled`, `box.off_sale` */
async function assertMayLeave(tx: CatalogueTx, { boxes }: WholeOrder): Promise<void> {
  const held = await lockBoxesInOrder(
    tx,
    boxes.map(({ boxId }) => boxId),
  )
  for (const box of held.values()) assertOnSale(box)
}

/** What comes from boxes is packed with a box, or with a reason. @throws ShopError `order.state` */
async function assertBoxesNamed(tx: CatalogueTx, { order, lines, boxes }: WholeOrder): Promise<void> {
  const open = lines.filter(
    ({ position, noBoxReason, leftOutReason }) =>
      noBoxReason === null && leftOutReason === null && !boxes.some((box) => box.position === position),
  )
  const unnamed = await boxedPositions(tx, open)
  if (unnamed.length === 0) return
  throw new ShopError('order.state', 'Not every line says which box it is from, or why it is from none.', {
    details: { status: order.status, moves: [], lines: unnamed },
  })
}

function checkMove(whole: WholeOrder, role: OrderRole, to: OrderState): void {
  const { order } = whole
  const { moves } = orderView(whole, role)
  if (!moves.includes(to))
    throw new ShopError('order.state', `This order is ${order.status}: it can’t become ${to}.`, {
      details: { status: order.status, moves },
    })
  if (to !== 'PACKED') return
  if (whole.payment?.state === 'OPEN')
    throw new ShopError(
      'order.unpaid',
      'It is not paid yet. The buyer is paying by card, or it is cancelled soon.',
    )
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

/** Moves with which the shop gives an order out of its hands. */
const handsOut: readonly OrderState[] = ['SENT', 'COMPLETED']

/**
 * The cents that were paid otherwise, to be kept with this move; null: all is paid, or was to be paid on receipt. What
 * is on its way was asked about when it was sent.
 * @throws ShopError `order.unpaid`, details `{ amount }` in cents
 */
function checkPaid(whole: WholeOrder, to: OrderState, paid: OrderMove['paid']): number | null {
  if (paid !== undefined && !handsOut.includes(to))
    throw fieldError('paid', 'is said when an order is sent or handed out')
  if (!handsOut.includes(to) || whole.order.status === 'SENT') return null
  const amount = unpaidByCard(whole.order.totalCents, paymentSums(whole))
  if (amount === null || paid === 'otherwise') return amount
  throw new ShopError(
    'order.unpaid',
    `It was to be paid by card, and nothing was charged: ${formatDollars(amount)} is due. Hand it out when it is paid.`,
    { details: { amount } },
  )
}

/** What a move brings about. Returns whether cards show something else of its boxes. */
async function followUp(
  tx: CatalogueTx,
  deps: OrderDeps,
  principal: Principal,
  before: WholeOrder,
  to: OrderState,
): Promise<boolean> {
  if (to !== 'PACKED' && to !== 'CANCELLED') return false
  // Histories of boxes are public: a buyer is not named in them.
  const who = hasRight(principal, 'order:write') ? actorId(principal) : SYSTEM
  if (to === 'CANCELLED') return returnOrder(tx, deps, who, before)
  const onCards = await recordSales(tx, deps, who, before, {})
  const { year, count } = await nextNumber(tx, 'invoice', deps.siteFile.market.timeZone)
  await tx
    .update(orders)
    .set({ invoiceNumber: invoiceNumber(year, count) })
    .where(eq(orders.id, before.order.id))
  return onCards
}
