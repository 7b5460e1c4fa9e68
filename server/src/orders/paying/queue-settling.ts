import type { Tx } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'

export const PAYMENT_QUEUE = 'order.payment'

/** Has a payment settled after the commit, or at a time of its own: the provider then gets the steps that are due. */
export const queueSettling = (tx: Tx, payment: string, runAt?: Date): Promise<void> =>
  enqueue(
    tx,
    PAYMENT_QUEUE,
    { payment },
    runAt === undefined ? { uniqueKey: payment } : { uniqueKey: `${payment} ${runAt.toISOString()}`, runAt },
  )
