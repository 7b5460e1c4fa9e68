import type { NoticeState } from '@befaqt/domain/recall'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { recallNotices } from '#server/db/schema/recalls.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'

const PREFIX = 'recall-notice:'

/** By what the queue of emails knows a notice. */
const receiptOf = (noticeId: number): string => `${PREFIX}${noticeId}`

/** Notes that a mail server took the email of this receipt, if it is that of a recall. Idempotent. */
export async function noteSent(db: Db | Tx, receipt: string): Promise<void> {
  if (!receipt.startsWith(PREFIX)) return
  await db
    .update(recallNotices)
    .set({ sentAt: sql`coalesce(sent_at, clock_timestamp())` })
    .where(eq(recallNotices.id, Number(receipt.slice(PREFIX.length))))
}

/** How the buyer of an order was notified, and the last error of the email. */
export type Notice = { orderId: string; state: NoticeState; error: string }

/** The notices of a recall, by order. */
export async function noticesOf(db: Db | Tx, recallId: string): Promise<Map<string, Notice>> {
  const found = await rows<Notice>(
    db,
    sql`select n.order_id as "orderId", coalesce(j.last_error, '') as error,
          case when n.sent_at is not null then 'sent' when j.failed_at is not null then 'given up'
            when j.id is not null then 'waiting' else 'discarded' end as state
        from recall_notices n
        left join jobs j on j.queue = ${MAIL_QUEUE} and j.unique_key = ${PREFIX}::text || n.id
        where n.recall_id = ${recallId}`,
  )
  return new Map(found.map((notice) => [notice.orderId, notice]))
}

/** The notices of these orders, made where there are none, in one statement. Returns their receipts by order. */
export async function addNotices(
  tx: Tx,
  recallId: string,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  const made = await rows<{ id: number; orderId: string }>(
    tx,
    sql`insert into recall_notices (recall_id, order_id)
        select ${recallId}, jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb)
        on conflict (recall_id, order_id) do update set queued_at = clock_timestamp()
        returning id, order_id as "orderId"`,
  )
  return new Map(made.map(({ id, orderId }) => [orderId, receiptOf(id)]))
}
