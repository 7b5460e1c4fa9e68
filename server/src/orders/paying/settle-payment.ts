import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { CAPTURE_WARNING_H, captureAmount, nextStep, type PaymentStep } from '@befaqt/domain/payment'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { noteSecurity } from '#server/audit/security-log.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { payments } from '#server/db/schema/payments.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { type JobHandler, PermanentError } from '#server/jobs/run.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { type OrderRecord, type PaymentRow, paidOtherwise } from '#server/orders/order-views.ts'
import { readWholeOrders } from '#server/orders/read-orders.ts'
import { findWaiting, waitingStatus } from '#server/orders/waiting/waiting-order.ts'
import { PaymentRefused, type PaymentReport, type Payments } from '#server/payments/port.ts'
import { queueAgain } from '../queue-settling.ts'
import { applyReport } from './apply-report.ts'
import { inAttempt, stepKey } from './attempts.ts'

const Job = z.object({ payment: z.string(), due: z.iso.datetime().optional() })

/**
 * The job. It may run twice and beside another one: idempotency keys are made from payment, step and attempt, and what
 * it answers is written down once.
 */
export const settlePaymentJob =
  (deps: OrderDeps): JobHandler =>
  async (payload) => {
    try {
      const { payment, due } = Job.parse(payload)
      await settle(deps, payment)
      const earlyMs = due === undefined ? 0 : Date.parse(due) - deps.now().getTime()
      if (due !== undefined && earlyMs > 0) await queueAgain(deps.db, payment, due, earlyMs)
    } catch (error) {
      const isFinal = error instanceof PaymentRefused || error instanceof ShopError
      if (isFinal) throw new PermanentError(error.message, error)
      throw error
    }
  }

type Found = {
  payment: PaymentRow
  /** A waiting order counts as placed, and as cancelled once it has ended, or went with its account. */
  order: Pick<OrderRecord, 'status' | 'totalCents'>
  paidOtherwise: boolean
}

async function find(db: Db, id: string): Promise<Found | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  if (payment === undefined) return null
  const waiting = await findWaiting(db, payment.orderId)
  if (waiting !== undefined) {
    const status = waitingStatus(waiting) === 'WAITING' ? 'PLACED' : 'CANCELLED'
    return { payment, order: { status, totalCents: waiting.totalCents }, paidOtherwise: false }
  }
  const [whole] = await readWholeOrders(db, [payment.orderId])
  if (whole === undefined)
    return { payment, order: { status: 'CANCELLED', totalCents: 0 }, paidOtherwise: false }
  return { payment, order: whole.order, paidOtherwise: paidOtherwise(whole) > 0 }
}

/**
 * Brings a payment to what its order needs: reads its state from the provider, requests the next step, and stores what
 * it answers. No transaction is open during the call. The reason of a failure is stored with the payment, for managers.
 * @throws PaymentRefused, or any other error when it may be tried again
 */
export async function settle(deps: OrderDeps, id: string): Promise<void> {
  const provider = deps.payments
  const found = await find(deps.db, id)
  if (found === null) return
  if (provider === null) throw new Error('Payment by card is switched off.')
  try {
    if (mayHaveMoved(found)) await apply(deps, await provider.read(found.payment))
    const now = await find(deps.db, id)
    const step = now && stepOf(now, deps.now())
    if (now && step) {
      const report = await inAttempt(deps.db, now.payment, () => take(provider, step, now))
      await apply(deps, report)
    }
    await note(deps, id, now === null ? null : warningOf(now, deps.now()))
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'unknown'
    await note(deps, id, problem)
    // It is tried again and again: once for each reason.
    if (found.payment.problem !== problem.slice(0, MAX_PROBLEM))
      noteSecurity({
        what: 'payment',
        outcome: 'failed',
        object: `payment:${id}`,
        detail: `order:${found.payment.orderId}`,
      })
    throw error
  }
}

async function apply(deps: OrderDeps, report: PaymentReport | null): Promise<void> {
  if (report === null) return
  await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      return applyReport(tx, deps, report)
    },
    ({ onCards }) => onCards,
    { order: report.orderId },
  )
}

const MAX_PROBLEM = 300

const note = (deps: OrderDeps, id: string, problem: string | null): Promise<unknown> =>
  deps.db
    .update(payments)
    .set({ problem: problem?.slice(0, MAX_PROBLEM) ?? null })
    .where(eq(payments.id, id))

/** Did the provider open a page for it? Before that it knows nothing of it. */
const mayHaveMoved = ({ payment }: Found): boolean => payment.session !== null || payment.reference !== null

const stepOf = ({ payment, order, paidOtherwise }: Found, now: Date): PaymentStep | null =>
  nextStep(
    { state: payment.state, isOver: payment.endsAt <= now },
    { status: order.status, total: order.totalCents, paidOtherwise },
  )

/** Requests a step. Returns the provider's report; null: to be retried. */
async function take(
  provider: Payments,
  step: PaymentStep,
  { payment, order }: Found,
): Promise<PaymentReport | null> {
  const keyOf = (amount: number): string => stepKey(payment, `${step} ${amount}`)
  if (step === 'close') {
    if (payment.session !== null) await provider.close(payment.session, keyOf(0))
    return lapsed(payment)
  }
  const { reference } = payment
  if (reference === null) throw new PaymentRefused('The provider has not said what was paid', null)
  switch (step) {
    case 'capture': {
      const amount = captureAmount(order.totalCents, payment.amountCents)
      return provider.capture(reference, amount, keyOf(amount))
    }
    case 'release':
      return provider.release(reference, keyOf(0))
    case 'refund': {
      const amount = payment.capturedCents - payment.refundedCents
      await provider.refund(reference, amount, keyOf(amount))
      return provider.read(payment)
    }
  }
}

/** A page that is closed can't be paid on any more. */
const lapsed = ({ id, orderId, amountCents }: PaymentRow): PaymentReport => ({
  paymentId: id,
  orderId,
  stage: 'LAPSED',
  reference: null,
  amount: amountCents,
  currency: 'aud',
  captured: 0,
  refunded: 0,
  captureBefore: null,
})

/** What a manager has to do although every step at the provider succeeded; null: nothing. */
function warningOf({ payment, order }: Found, now: Date): string | null {
  const endsSoon = payment.endsAt.getTime() - now.getTime() < CAPTURE_WARNING_H * HOUR_MS
  return payment.state === 'AUTHORIZED' && order.status === 'PLACED' && endsSoon
    ? 'The hold on the card ends soon: pack the order before that, or it is paid on receipt.'
    : null
}
