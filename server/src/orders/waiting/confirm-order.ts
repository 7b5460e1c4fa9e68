import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { ConfirmOrder } from '@befaqt/domain/order'
import { eq, sql } from 'drizzle-orm'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { orders } from '#server/db/schema/orders.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, BOX_NOT_ALLOWED, type Principal } from '#server/identity/principal.ts'
import { NOBODY } from '../open-holds.ts'
import { assertMay, isConfirmation, type OrderRole, orderRole } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { mailOrder } from '../order-emails.ts'
import { orderView } from '../order-views.ts'
import { lockOrder, readWholeOrder } from '../read-orders.ts'
import { Available, takeGoods } from '../take-goods.ts'
import { lockWaiting, type Waiting, waitingStatus } from './waiting-order.ts'

/**
 * Confirms an order by the link of its email, or for the shop: a waiting one takes stock, slot and a number now, one that
 * is placed no longer counts for its network. Again, or from two devices at once, it answers the order as it is.
 * @throws ShopError `order.not_found`, `token.invalid` without the link of the email, `order.state` for one that has
 *   lapsed or was dropped, `stock.insufficient` and `slot.unavailable` with what is left, `input.invalid`
 */
export async function confirmOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { confirm, ...changes }: ConfirmOrder,
  key: string | undefined,
): Promise<OrderView> {
  const { view } = await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      const waiting = await lockWaiting(tx, id)
      const order = waiting ?? (await lockOrder(tx, id))[0]
      const role = await orderRole(deps, tx, principal, order, key)
      assertConfirms(deps, role, id, confirm)
      const who = principal.kind === 'anonymous' ? null : actorId(principal)
      const onCards = waiting !== undefined && (await take(tx, deps, waiting, { ...changes, who }))
      if (waiting === undefined) await markConfirmed(tx, id)
      return { view: orderView(await readWholeOrder(tx, id), role), onCards }
    },
    ({ onCards }) => onCards,
    { order: id },
  )
  return view
}

/** The link of the order's own page is known to whoever placed it; that of its email to whoever reads the email. */
function assertConfirms(deps: OrderDeps, role: OrderRole, id: string, given: string | undefined): void {
  if (role === 'shop' || (role === 'buyer' && isConfirmation(deps, id, given))) return
  throw new ShopError('token.invalid', 'Please open the link in the email: it confirms the order.')
}

/** From now on an order counts for no network. */
export const markConfirmed = (tx: Tx, id: string): Promise<unknown> =>
  tx
    .update(orders)
    .set({ network: null, confirmedAt: sql`coalesce(${orders.confirmedAt}, clock_timestamp())` })
    .where(eq(orders.id, id))

type Changes = Omit<ConfirmOrder, 'confirm'> & { who: string | null }

async function take(tx: CatalogueTx, deps: OrderDeps, waiting: Waiting, changes: Changes): Promise<boolean> {
  const onCards = await takeWaiting(tx, deps, waiting, changes)
  await mailOrder(tx, deps, 'placed', await readWholeOrder(tx, waiting.id))
  return onCards
}

/**
 * Makes a locked waiting order an order of the same id, at the prices it was ordered at. Nothing is written before all
 * of it is known to be left. Returns whether cards show another stock now.
 * @throws ShopError `order.state`, `stock.insufficient`, `slot.unavailable`, `input.invalid`
 */
export async function takeWaiting(
  tx: CatalogueTx,
  deps: OrderDeps,
  waiting: Waiting,
  { lines, slot = waiting.slot._id, who }: Changes,
): Promise<boolean> {
  const { id, userId, contact, kind } = waiting
  assertWaits(waiting)
  if (contact === null) throw new Error('a waiting order has a contact')
  const wanted = chosen(waiting, lines)
  const asked = wanted.map(({ productId, quantity, preparation }) => ({
    product_id: productId,
    quantity,
    ...(preparation && { preparation: preparation.kind }),
  }))
  const shopper = { owner: NOBODY, network: null, isAgreed: true }
  const products = asked.map(({ product_id }) => product_id)
  const available = await Available.lock(tx, deps, lock(tx), { products, slots: [slot] }, [shopper])
  const to = { kind, slot, address: contact.address ?? undefined }
  const goods = await available.goodsFor(deps, { lines: asked, ...to, payment: 'later' }, shopper)
  const changed = goods.lines.filter(({ unit }, i) => unit !== wanted[i]?.unit)
  if (changed.length > 0)
    throw new ShopError('stock.insufficient', 'Some products are sold by another unit now.', {
      details: {
        lines: changed.map(({ productId, quantity }) => ({
          product_id: productId,
          wanted: quantity,
          left: 0,
        })),
      },
    })
  const coupon = couponOf(waiting) // its use is counted since it waits
  // The fee is that of what was ordered: that less is left is not the buyer's doing.
  const { delivery: terms, deliveryCents } = waiting
  const taken = { ...goods, lines: wanted, coupon, delivery: { delivery: terms, deliveryCents } }
  const shown = available.take(taken, shopper)
  const order = { id, userId, who, contact, network: null, confirmed: true }
  await takeGoods(tx, deps, [{ ...taken, ...order }], available)
  await tx.delete(waitingOrders).where(eq(waitingOrders.id, id))
  return shown.length > 0
}

const couponOf = ({ couponId: id, coupon: terms }: Waiting) =>
  id === null || terms === null ? null : { id, terms }

/** @throws ShopError `order.state` */
export function assertWaits(waiting: Waiting): void {
  const status = waitingStatus(waiting)
  if (status === 'WAITING') return
  throw new ShopError(
    'order.state',
    status === 'LAPSED'
      ? 'This order waited for 24 hours and has lapsed. Nothing was taken for it. Please order again.'
      : 'This order was dropped. Nothing was taken for it. Please order again.',
    { details: { status, moves: [] } },
  )
}

/** The lines that are taken: all as they were ordered, or fewer. A product that is in one line needs no preparation to name it. */
function chosen({ lines }: Waiting, wanted: ConfirmOrder['lines']): Waiting['lines'] {
  if (wanted === undefined) return lines
  const found = new Set<Waiting['lines'][number]>()
  const taken = wanted.map(({ product_id, quantity, preparation }, i) => {
    const of = lines.filter(({ productId }) => productId === product_id)
    const named = of.find((line) => line.preparation?.kind === preparation)
    const line = named ?? (preparation === undefined && of.length === 1 ? of[0] : undefined)
    if (line === undefined || quantity > line.quantity || found.has(line))
      throw fieldError(`lines[${i}]`, 'can only be fewer than what was ordered')
    found.add(line)
    const { orderedGrams } = line
    const grams = orderedGrams === null ? null : Math.round((orderedGrams * quantity) / line.quantity)
    return { ...line, quantity, orderedGrams: grams }
  })
  return taken.map((line, i) => ({ ...line, position: i + 1 }))
}

/**
 * Accepts the total of an order that was weighed above what its buyer agreed to.
 * @param total the cents that were shown: another total is not accepted by this
 * @throws ShopError `order.not_found`, `order.state`, `price.changed`, `auth.forbidden` for a key for some boxes
 */
export async function acceptTotal(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { total, key }: { total: number; key: string | undefined },
): Promise<OrderView> {
  return deps.db.transaction(async (tx) => {
    const [order] = await lockOrder(tx, id)
    const role = await orderRole(deps, tx, principal, order, key)
    if (role === 'boxes') throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
    assertMay(order, 'accept the total')
    if (order.totalCents !== total)
      throw new ShopError('price.changed', 'The total has changed in the meantime.', {
        details: { total: order.totalCents },
      })
    await tx
      .update(orders)
      .set({ agreedCents: total, version: order.version + 1, updatedAt: sql`clock_timestamp()` })
      .where(eq(orders.id, id))
    return orderView(await readWholeOrder(tx, id), role)
  })
}
