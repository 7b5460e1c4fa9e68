import type { OrderView } from '@befaqt/domain/api/order-api'
import type { OrderAnswer } from '@befaqt/domain/api/waiting-order-api'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { mayPayByCard } from '@befaqt/domain/payment'
import { eq } from 'drizzle-orm'
import { payments } from '#server/db/schema/payments.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { BOX_NOT_ALLOWED, type Principal } from '#server/identity/principal.ts'
import { orderLink, orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { orderView, type PaymentRow, paymentSums } from '#server/orders/order-views.ts'
import { lockOrder, readOrder, readWholeOrder } from '#server/orders/read-orders.ts'
import { lockWaiting, paymentOf, waitingStatus } from '#server/orders/waiting/waiting-order.ts'
import type { NewPayment } from '#server/payments/port.ts'
import { amountOf, insertPayment, mostOf, PAY_MINUTES } from '../insert-payment.ts'
import { queueSettling } from '../queue-settling.ts'
import { lockPayment } from './apply-report.ts'
import { inAttempt, stepKey } from './attempts.ts'
import { settle } from './settle-payment.ts'

/** Minutes after which the provider's page ends by itself, should we be away; Stripe takes from 30 minutes on. */
const PAGE_MINUTES = 120

const over = (): ShopError => new ShopError('order.state', 'This order is not to be paid by card any more.')

const off = (): ShopError =>
  new ShopError('unavailable', 'Payment by card is switched off. You can pay when you get the order.')

/**
 * The provider's page on which an order is paid. The same one while it is open, however often it is requested; a new
 * one where an authorization has ended.
 * @throws ShopError `order.not_found`, `order.state`, `unavailable` when the provider can't be reached
 */
export async function startPayment(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<{ url: string }> {
  const provider = deps.payments
  const { payment, fresh } = await openPayment(deps, principal, id, key)
  if (provider === null) throw off()
  if (payment.url !== null) return { url: payment.url }
  const opening = inAttempt(deps.db, payment, () => provider.open(fresh, stepKey(payment, 'open')))
  const page = await opening.catch((cause: unknown) => {
    throw new ShopError('unavailable', 'Card payments are not available at the moment. Please try again.', {
      cause,
    })
  })
  const isOpen = await deps.db.transaction(async (tx) => {
    const { state } = await lockPayment(tx, payment.id)
    await tx.update(payments).set(page).where(eq(payments.id, payment.id))
    if (state !== 'OPEN') await queueSettling(tx, payment.id) // its order was cancelled meanwhile
    return state === 'OPEN'
  })
  if (!isOpen) throw over()
  return { url: page.url }
}

/** The open payment of an order, and the request for it to the provider. */
function openPayment(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<{ payment: PaymentRow; fresh: NewPayment }> {
  return deps.db.transaction(async (tx) => {
    await awaitStandby(tx) // before its provider hears of it
    const waiting = await lockWaiting(tx, id)
    if (waiting !== undefined) {
      await orderRole(deps, tx, principal, waiting, key)
      const last = await paymentOf(tx, id)
      const waits = waitingStatus(waiting) === 'WAITING' && waiting.payment === 'card'
      if (!waits || waiting.contact === null || last === null) throw over()
      if (last.state === 'OPEN' && last.endsAt <= deps.now()) throw over()
      if (last.state !== 'OPEN' && last.state !== 'LAPSED') throw over()
      const payment =
        last.state === 'OPEN'
          ? last
          : await insertPayment(tx, deps, { id, amount: mostOf(waiting.totalCents) })
      return { payment, fresh: asNew(deps, { id }, payment, waiting.contact.email) }
    }
    const [order] = await lockOrder(tx, id)
    if ((await orderRole(deps, tx, principal, order, key)) === 'boxes')
      throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
    const whole = await readWholeOrder(tx, id)
    const { payment: last, contact } = whole
    if (last === null || contact === null || !mayPayByCard(order.status, paymentSums(whole))) throw over()
    if (last.state === 'OPEN' && last.endsAt <= deps.now()) throw over()
    const payment =
      last.state === 'OPEN' ? last : await insertPayment(tx, deps, { id, amount: amountOf(order) })
    return { payment, fresh: asNew(deps, order, payment, contact.email) }
  })
}

/** All of it follows from what is stored, so that the provider gets the same each time. */
function asNew(
  deps: OrderDeps,
  order: { id: string; number?: string },
  payment: PaymentRow,
  email: string,
): NewPayment {
  const link = orderLink(deps, order.id)
  return {
    id: payment.id,
    orderId: order.id,
    title: [deps.siteFile.name, 'order', order.number].filter(Boolean).join(' '),
    amount: payment.amountCents,
    email,
    pageEndsAt: new Date(payment.endsAt.getTime() + (PAGE_MINUTES - PAY_MINUTES) * MINUTE_MS),
    paidUrl: `${link}&card=paid`,
    backUrl: `${link}&card=back`,
  }
}

/**
 * Reads the state of a buyer's payment from the provider, as after returning from its page. On failure it is left to
 * a job, and to the provider's messages.
 * @throws ShopError `order.not_found`
 */
export async function checkPayment(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderAnswer> {
  await readOrder(deps, principal, id, key) // is it theirs?
  const payment = await paymentOf(deps.db, id)
  if (payment?.state === 'OPEN' && deps.payments) {
    await settle(deps, payment.id).catch(() => deps.db.transaction((tx) => queueSettling(tx, payment.id)))
  }
  return readOrder(deps, principal, id, key)
}

/**
 * Settles the payment of an order now, for managers: what failed is tried again.
 * @throws ShopError `order.not_found`, `unavailable` with what the provider said
 */
export async function retryPayment(deps: OrderDeps, id: string): Promise<OrderView> {
  const { payment } = await readWholeOrder(deps.db, id)
  if (payment)
    await settle(deps, payment.id).catch((cause: unknown) => {
      throw new ShopError('unavailable', `It failed again. ${cause instanceof Error ? cause.message : ''}`, {
        cause,
      })
    })
  return orderView(await readWholeOrder(deps.db, id), 'shop')
}
