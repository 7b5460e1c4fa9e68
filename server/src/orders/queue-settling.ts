import type { Db, Tx } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'

export const PAYMENT_QUEUE = 'order.payment'

/** Has a payment settled after the commit, or at a time of its own: the provider then gets the steps that are due. */
export const queueSettling = (tx: Tx, payment: string, runAt?: Date): Promise<void> =>
  enqueue(
    tx,
    PAYMENT_QUEUE,
    runAt === undefined ? { payment } : { payment, due: runAt.toISOString() },
    runAt === undefined ? { uniqueKey: payment } : { uniqueKey: `${payment} ${runAt.toISOString()}`, runAt },
  )

/**
 * Has it settled at `due` all the same: the database's clock, by which jobs are due, was ahead of this process's, by
 * which payments end.
 */
export const queueAgain = (db: Db, payment: string, due: string, earlyMs: number): Promise<void> =>
  enqueue(db, PAYMENT_QUEUE, { payment, due }, { uniqueKey: `${payment} ${due}`, delayMs: earlyMs })
