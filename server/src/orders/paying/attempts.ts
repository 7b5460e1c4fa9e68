import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { payments } from '#server/db/schema/payments.ts'
import type { PaymentRow } from '#server/orders/order-views.ts'
import { PaymentFailed } from '#server/payments/port.ts'

type Attempt = Pick<PaymentRow, 'id' | 'attempt'>

/**
 * The idempotency key of a step of a payment. The provider repeats its answer to a key for a day, an error as well, so
 * a step that was answered with an error gets another key. The number is stored before the call: a process that comes
 * after one that was killed sends the same key.
 */
export const stepKey = ({ id, attempt }: Attempt, step: string): string =>
  `befaqt ${id} ${step}${attempt === 0 ? '' : ` attempt ${attempt}`}`

/**
 * Makes a call with this attempt's key. An error that the provider answered ends the attempt; after a lost connection it
 * stays, as what was asked may have been done.
 */
export async function inAttempt<Answer>(
  db: Db,
  { id, attempt }: Attempt,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PaymentFailed)
      await db
        .update(payments)
        .set({ attempt: attempt + 1 })
        .where(and(eq(payments.id, id), eq(payments.attempt, attempt)))
    throw error
  }
}
