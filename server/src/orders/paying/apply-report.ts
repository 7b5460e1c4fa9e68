import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import {
  AUTHORIZATION_DAYS,
  CAPTURE_WARNING_H,
  onceAuthorized,
  type PaymentState,
  type paymentLife,
  paymentMove,
} from '@befaqt/domain/payment'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { noteSecurity } from '#server/audit/security-log.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { payments } from '#server/db/schema/payments.ts'
import { anonymous, SYSTEM } from '#server/identity/principal.ts'
import { applyMove } from '#server/orders/move-order.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder } from '#server/orders/order-emails.ts'
import {
  type OrderRecord,
  type PaymentRow,
  paidOtherwise,
  type WholeOrder,
} from '#server/orders/order-views.ts'
import { lockOrder, lockOrderIfThere, type OrderLocks, readWholeOrder } from '#server/orders/read-orders.ts'
import { markConfirmed } from '#server/orders/waiting/confirm-order.ts'
import { takePaid } from '#server/orders/waiting/end-waiting.ts'
import { lockWaiting } from '#server/orders/waiting/waiting-order.ts'
import type { PaymentReport, ReportedStage } from '#server/payments/port.ts'
import { queueSettling } from '../queue-settling.ts'

const NOT_PAID = 'It was not paid in time.'

/**
 * Writes down what the provider says of a payment, with all that follows: a paid order is confirmed by email, one that
 * nobody paid in time is cancelled, one that waited takes what is left; one that waited for an account which is deleted
 * since is gone, and gives back what is paid. What it said before, or says out of order, changes nothing. Returns whether
 * the public catalogue changed.
 * @throws ShopError `not_found`, `payment.differs` when order, amount or currency are not those that were requested
 */
export async function applyReport(
  tx: CatalogueTx,
  deps: OrderDeps,
  report: PaymentReport,
): Promise<{ onCards: boolean }> {
  const waiting = await lockWaiting(tx, report.orderId)
  const [order, locks] = waiting === undefined ? await lockOrderIfThere(tx, report.orderId) : [null, lock(tx)]
  const payment = await lockPayment(tx, report.paymentId)
  assertSame(payment, report)
  const to = stateOf(report.stage, order === null || (await isGivenBack(tx, order)))
  const move = to === null ? undefined : paymentMove(payment.state, to)
  await tx
    .update(payments)
    .set({
      ...(move && { state: move.to, problem: null }),
      ...(move?.to === 'AUTHORIZED' && { endsAt: endOf(report, deps.now()) }),
      ...(report.reference !== null && { reference: report.reference }),
      capturedCents: Math.max(payment.capturedCents, report.captured),
      refundedCents: Math.max(payment.refundedCents, report.refunded),
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(payments.id, payment.id))
  if (move === undefined) return { onCards: false }
  notePayment(payment, report, move.to)
  const follow = async (order: OrderRecord, locks: OrderLocks): Promise<boolean> => {
    const whole = await readWholeOrder(tx, order.id)
    const made = await carryOut(move.effects, followUps, { tx, locks, deps, id: payment.id, order, whole })
    return made.includes(true)
  }
  if (order !== null) return { onCards: await follow(order, locks) }
  const isPaid = move.effects?.includes('confirm the order')
  if (isPaid && waiting === undefined) await queueSettling(tx, payment.id) // nothing is left that it could pay for
  const onCards = isPaid && waiting !== undefined ? await takePaid(tx, deps, waiting) : null
  if (onCards === null) return { onCards: false }
  await follow(...(await lockOrder(tx, report.orderId)))
  return { onCards }
}

/** Amounts are in cents, of all that was taken and given back until now. */
function notePayment(
  { id, orderId, amountCents }: PaymentRow,
  report: PaymentReport,
  state: PaymentState,
): void {
  const sums = `of ${amountCents}, captured ${report.captured}, refunded ${report.refunded}`
  const detail = `${state.toLowerCase()} ${sums}, order:${orderId}`
  noteSecurity({ what: 'payment', outcome: 'done', object: `payment:${id}`, detail })
}

export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  if (payment === undefined) throw new ShopError('not_found', 'There is no such payment.')
  return payment
}

function assertSame(payment: PaymentRow, report: PaymentReport): void {
  const isSame =
    payment.orderId === report.orderId &&
    payment.amountCents === report.amount &&
    report.currency === 'aud' &&
    (payment.reference === null || report.reference === null || payment.reference === report.reference) &&
    report.captured <= payment.amountCents &&
    report.refunded <= payment.amountCents
  if (!isSame)
    throw new ShopError('payment.differs', 'Order, amount or currency are not those of this payment.')
}

/** The state that a stage means; null: nothing new. */
function stateOf(stage: ReportedStage, isGivenBack: boolean): PaymentState | null {
  if (stage === 'OPEN') return null
  if (stage !== 'ENDED') return stage
  return isGivenBack ? 'RELEASED' : 'EXPIRED'
}

/** Did the shop end the authorization of an order, since it was cancelled or paid otherwise? */
const isGivenBack = async (tx: Tx, { id, status }: OrderRecord): Promise<boolean> =>
  status === 'CANCELLED' || paidOtherwise(await readWholeOrder(tx, id)) > 0

const endOf = ({ captureBefore }: PaymentReport, now: Date): Date =>
  captureBefore ?? new Date(now.getTime() + AUTHORIZATION_DAYS * 24 * HOUR_MS)

type Move = {
  tx: CatalogueTx
  locks: OrderLocks
  deps: OrderDeps
  /** Of the payment. */
  id: string
  order: OrderRecord
  whole: WholeOrder
}

const isCancelled = ({ order }: Move): boolean => order.status === 'CANCELLED'

/** What a move of a payment brings about. Each may return whether the public catalogue changed. */
const followUps: Handlers<EffectOf<typeof paymentLife, PaymentState>, [Move], unknown> = {
  'confirm the order': async (move) => {
    if (!isCancelled(move)) await markConfirmed(move.tx, move.order.id)
  },
  'email: placed': (move) => {
    const { tx, deps, whole } = move
    const confirmed = { ...whole, order: { ...whole.order, network: null } }
    return isCancelled(move) ? undefined : mailOrder(tx, deps, 'placed', confirmed)
  },
  settle: ({ tx, id }) => queueSettling(tx, id),
  'settle about its end': async ({ tx, id, whole }) => {
    const endsAt = whole.payment?.endsAt.getTime() ?? 0
    for (const at of [endsAt - CAPTURE_WARNING_H * HOUR_MS, endsAt + HOUR_MS])
      await queueSettling(tx, id, new Date(at))
  },
  'cancel the order': async ({ tx, locks, deps, id, order, whole }) => {
    if (order.status !== 'PLACED' || order.confirmedAt !== null) return false // paid on receipt then
    if (await wasPaidBefore(tx, order.id, id)) return false
    const by = { principal: anonymous, who: SYSTEM, role: 'shop' } as const
    return applyMove(tx, locks, deps, by, whole, { status: 'CANCELLED', reason: NOT_PAID })
  },
  'email: unpaid': (move) =>
    isCancelled(move) ? undefined : mailOrder(move.tx, move.deps, 'unpaid', move.whole),
  'email: refunded': ({ tx, deps, whole }) => mailOrder(tx, deps, 'refunded', whole),
}

/** Was another payment of this order authorized before? Then the order is kept, and is paid on receipt. */
async function wasPaidBefore(tx: Tx, orderId: string, but: string): Promise<boolean> {
  const same = and(
    eq(payments.orderId, orderId),
    ne(payments.id, but),
    inArray(payments.state, onceAuthorized),
  )
  return (await tx.$count(payments, same)) > 0
}
