import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import { cents } from '@befaqt/domain/money'
import { mostCharged, TOLERANCE_PERCENT } from '@befaqt/domain/order-totals'
import { paymentLife } from '@befaqt/domain/payment'
import type { Tx } from '#server/db/client.ts'
import { payments } from '#server/db/schema/payments.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import type { OrderRecord, PaymentRow } from '#server/orders/order-views.ts'
import { queueSettling } from './queue-settling.ts'

/** Minutes for which an order holds stock and slot for a buyer who is paying. */
export const PAY_MINUTES = 35

/** Makes a payment for an order, which settles itself when nobody pays. */
export async function insertPayment(
  tx: Tx,
  { now }: Pick<OrderDeps, 'now'>,
  order: { id: string; amount: number },
): Promise<PaymentRow> {
  const endsAt = new Date(now().getTime() + PAY_MINUTES * MINUTE_MS)
  const [made] = await tx
    .insert(payments)
    .values({ id: randomUUID(), orderId: order.id, state: 'OPEN', amountCents: order.amount, endsAt })
    .returning()
  if (made === undefined) throw new Error('a payment was inserted')
  await carryOut(paymentLife.new.begin.effects, followUps, { tx, made })
  return made
}

const followUps: Handlers<EffectOf<typeof paymentLife, 'new'>, [{ tx: Tx; made: PaymentRow }], void> = {
  'settle at its end': ({ tx, made: { id, endsAt } }) => queueSettling(tx, id, endsAt),
}

/** What is to be authorized: the most that weighing may come to, and the exact total once it is packed. */
export const amountOf = (
  order: Pick<OrderRecord, 'status' | 'agreedCents' | 'totalCents' | 'tolerancePercent'>,
): number =>
  order.status === 'PLACED' ? mostCharged(cents(order.agreedCents), order.tolerancePercent) : order.totalCents

/** The same for one that is not an order yet. @param total in cents */
export const mostOf = (total: number): number => mostCharged(cents(total), TOLERANCE_PERCENT)
