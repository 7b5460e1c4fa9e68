import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PaymentState, paymentStates } from '@befaqt/domain/payment'
import { eq, gt, sql } from 'drizzle-orm'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orders } from '#server/db/schema/orders.ts'
import { payments } from '#server/db/schema/payments.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { ReportedStage } from '#server/payments/port.ts'
import { cardShop } from '#server/testing/card-shop.ts'
import { PAYMENT_QUEUE } from '../queue-settling.ts'
import { applyReport } from './apply-report.ts'

const stages = ['OPEN', 'LAPSED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED', 'ENDED'] as const

/** What a report makes of a payment, apart from the table: the state, the emails, and how often it is to be settled. */
const moves: Record<string, [to: PaymentState, emails: string, settled: number]> = {
  'OPEN LAPSED': ['LAPSED', 'order-cancelled', 1], // the cancelled order has its payment settled
  'OPEN AUTHORIZED': ['AUTHORIZED', 'order-placed', 3],
  'OPEN CAPTURED': ['CAPTURED', 'order-placed', 1],
  'LAPSED AUTHORIZED': ['AUTHORIZED', 'order-placed', 3],
  'LAPSED CAPTURED': ['CAPTURED', 'order-placed', 1],
  'AUTHORIZED CAPTURED': ['CAPTURED', '', 1],
  'AUTHORIZED ENDED': ['EXPIRED', 'order-unpaid', 0],
  'CAPTURED REFUNDED': ['REFUNDED', 'order-refunded', 0],
}

test('what the provider reports moves a payment along its edges with what follows, and changes nothing otherwise', async () => {
  await using shop = await cardShop()
  const { id } = await shop.byCard()
  const { db } = shop.deps
  const report = async (from: PaymentState, stage: ReportedStage, status: 'PLACED' | 'CANCELLED') => {
    await db.update(orders).set({ status, confirmedAt: null }).where(eq(orders.id, id))
    const [payment] = await db
      .update(payments)
      .set({ state: from })
      .where(eq(payments.orderId, id))
      .returning()
    assert.ok(payment)
    await db.delete(jobs).where(eq(jobs.queue, PAYMENT_QUEUE)) // each is queued once
    const [{ last } = { last: 0 }] = await db.select({ last: sql<number>`coalesce(max(id), 0)` }).from(jobs)
    const said = {
      ...{ paymentId: payment.id, orderId: id, stage, reference: null, amount: payment.amountCents },
      ...{ currency: 'aud', captured: 0, refunded: 0, captureBefore: null },
    }
    const apply = changeCatalogue(
      shop.deps,
      (tx) => applyReport(tx, shop.deps, said),
      ({ onCards }) => onCards,
      { order: id },
    )
    await apply
    const queued = await db.select().from(jobs).where(gt(jobs.id, last))
    const [after] = await db.select().from(payments).where(eq(payments.orderId, id))
    return {
      state: after?.state,
      emails: queued.flatMap(({ queue, payload }) => (queue === MAIL_QUEUE ? [payload.kind] : [])).join(),
      settled: queued.filter(({ queue }) => queue === PAYMENT_QUEUE).length,
    }
  }
  for (const from of paymentStates)
    for (const stage of stages) {
      const [state, emails, settled] = moves[`${from} ${stage}`] ?? [from, '', 0]
      assert.deepEqual(await report(from, stage, 'PLACED'), { state, emails, settled }, `${from} ${stage}`)
    }
  assert.deepEqual(await report('AUTHORIZED', 'ENDED', 'CANCELLED'), {
    ...{ state: 'RELEASED', emails: 'order-refunded', settled: 0 },
  })
  assert.deepEqual(await report('LAPSED', 'CAPTURED', 'CANCELLED'), {
    ...{ state: 'CAPTURED', emails: '', settled: 1 },
  })
})
