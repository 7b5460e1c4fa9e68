import type { OrderAnswer } from '@befaqt/domain/api/waiting-order-api'
import { type ErrorCode, ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { consume } from '#server/accounts/index.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import type { Principal } from '#server/identity/principal.ts'
import { moveOrder } from '#server/orders/move-order.ts'
import { orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder } from '#server/orders/order-emails.ts'
import { ordersByNetwork, ordersByRecipient } from '#server/orders/order-limits.ts'
import { queueSettling } from '#server/orders/queue-settling.ts'
import { lockOrder, readWholeOrder } from '#server/orders/read-orders.ts'
import { assertWaits, takeWaiting } from './confirm-order.ts'
import {
  findWaiting,
  lockWaiting,
  mailNotLeft,
  mailWaiting,
  paymentOf,
  type Waiting,
  waitingStatus,
  waitingView,
} from './waiting-order.ts'

/** Ends a locked waiting order without an order: who it was for is forgotten, and what its card holds is released. */
async function drop(tx: Tx, { id }: Waiting, reason: string): Promise<void> {
  await tx
    .update(waitingOrders)
    .set({ status: 'DROPPED', reason, contact: null })
    .where(eq(waitingOrders.id, id))
  const payment = await paymentOf(tx, id)
  if (payment !== null) await queueSettling(tx, payment.id)
}

/**
 * Cancels an order before it is packed, or drops one that waits: for its buyer, or for the shop. One that has ended stays
 * as it is.
 * @param key of the signed link, for guests
 * @throws ShopError as `moveOrder`
 */
export async function cancelOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  reason: string,
  key: string | undefined,
): Promise<OrderAnswer> {
  const dropped = await deps.db.transaction(async (tx) => {
    const waiting = await lockWaiting(tx, id)
    if (waiting === undefined) return undefined
    await orderRole(deps, tx, principal, waiting, key)
    if (waitingStatus(waiting) === 'WAITING') await drop(tx, waiting, reason)
    return waitingView((await findWaiting(tx, id)) ?? waiting, await paymentOf(tx, id))
  })
  return dropped ?? moveOrder(deps, principal, id, { status: 'CANCELLED', reason }, key)
}

/**
 * Sends the email once more whose link confirms an order. One that waits for a card waits for the click from then on.
 * @throws ShopError `order.not_found`, `order.state` for one that has ended, `rate.limited`
 */
export async function sendConfirmation(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
  network: string,
): Promise<void> {
  await consume(deps.db, ordersByNetwork(network), deps.now())
  const before = (await findWaiting(deps.db, id)) ?? (await readWholeOrder(deps.db, id))
  await orderRole(deps, deps.db, principal, 'order' in before ? before.order : before, key)
  if (before.contact === null) return
  await consume(deps.db, ordersByRecipient(before.contact.email), deps.now())
  await deps.db.transaction(async (tx) => {
    const waiting = await lockWaiting(tx, id)
    if (waiting === undefined) {
      const [{ network, status }] = await lockOrder(tx, id)
      if (network !== null && status === 'PLACED')
        await mailOrder(tx, deps, 'placed', await readWholeOrder(tx, id))
      return
    }
    assertWaits(waiting)
    await tx.update(waitingOrders).set({ payment: 'later' }).where(eq(waitingOrders.id, id))
    await mailWaiting(tx, deps, waiting)
  })
}

const notTaken: Partial<Record<ErrorCode, string>> = {
  'stock.insufficient': 'Not all of it was left when your card was accepted.',
  'slot.unavailable': 'The time that you chose was full or closed when your card was accepted.',
  'order.state': 'The order had ended when your card was accepted.',
}

/**
 * What becomes of a locked waiting order whose card was accepted: an order, or, where it is not left or comes too late,
 * nothing, and the card is released. Returns null then; else whether cards show another stock now.
 */
export async function takePaid(tx: CatalogueTx, deps: OrderDeps, waiting: Waiting): Promise<boolean | null> {
  try {
    return await takeWaiting(tx, deps, waiting, { who: null })
  } catch (error) {
    const reason = error instanceof ShopError ? notTaken[error.code] : undefined
    if (reason === undefined) throw error
    await drop(tx, waiting, reason)
    await mailNotLeft(tx, deps, waiting, reason)
    return null
  }
}
