import { ShopError } from '@befaqt/domain/errors'
import type { Logger } from 'pino'
import { changeCatalogue } from '#server/catalogue/index.ts'
import { paymentEvents } from '#server/db/schema/payments.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { ForgedEvent, type PaymentEvent } from '#server/payments/port.ts'
import { queueSettling } from '../queue-settling.ts'
import { applyReport } from './apply-report.ts'

/** Events of a completed payment page: the payment is then read from the provider. */
const PAID = 'checkout.session.completed'

/**
 * Takes a signed message of the provider: once each, in any order, in one transaction with all that follows from it.
 * An event about an unknown object is acknowledged and ignored.
 * @param body as it came, since the signature is over its bytes
 * @throws ShopError `input.invalid` for a forged or old one, `not_found`, `payment.differs`
 */
export async function takePaymentEvent(
  deps: OrderDeps & { log: Pick<Logger, 'warn'> },
  body: string,
  signature: string,
): Promise<void> {
  const { id, kind, report } = verified(deps, body, signature)
  if (report === null) return
  await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      const [isNew] = await tx.insert(paymentEvents).values({ id }).onConflictDoNothing().returning()
      if (isNew === undefined) return { onCards: false }
      const applied = await applyReport(tx, deps, report)
      if (kind === PAID) await queueSettling(tx, report.paymentId)
      return applied
    },
    ({ onCards }) => onCards,
    { order: report.orderId },
  ).catch((error: unknown) => {
    const { paymentId: payment, orderId: order } = report
    deps.log.warn({ event: id, kind, payment, order, err: error }, 'message of a payment rejected')
    throw error
  })
}

function verified(
  { payments, now, log }: OrderDeps & { log: Pick<Logger, 'warn'> },
  body: string,
  signature: string,
): PaymentEvent {
  if (payments === null) throw new ShopError('not_found', 'Payment by card is switched off.')
  try {
    return payments.event(body, signature, now())
  } catch (error) {
    if (!(error instanceof ForgedEvent)) throw error
    log.warn({}, 'message of a payment with a wrong signature')
    throw new ShopError('input.invalid', 'The signature does not match.', { cause: error })
  }
}
