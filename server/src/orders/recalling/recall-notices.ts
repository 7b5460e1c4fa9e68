import type { NoticeState } from '@befaqt/domain/box-history'
import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { NOT_NOTED } from '#server/jobs/run.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'

const NOTICE = 'recall-notice:'
const WITHDRAWAL = 'recall-withdrawal:'

/** By what the queue of emails knows a notice, and what ends it. */
const receiptOf = (noticeId: number): string => `${NOTICE}${noticeId}`
export const withdrawalReceipt = (noticeId: number): string => `${WITHDRAWAL}${noticeId}`

/** The notice of a receipt, and which of its two emails it is; null: it is of another email. */
export function noticeOf(receipt: string): { id: number; isWithdrawal: boolean } | null {
  const prefix = [NOTICE, WITHDRAWAL].find((one) => receipt.startsWith(one))
  return prefix === undefined
    ? null
    : { id: Number(receipt.slice(prefix.length)), isWithdrawal: prefix === WITHDRAWAL }
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
        left join jobs j on j.queue = ${MAIL_QUEUE} and j.unique_key = ${NOTICE}::text || n.id
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

/** SQL: of a notice `n` of this box. */
const ofBox = (boxID: string) => sql`n.recall_id in (select r.id from recalls r where r.box_id = ${boxID})`

/**
 * Takes emails about recalls of a box that were not sent out of the queue: the notices, or those that a recall was
 * withdrawn. One that is being sent just now stays: its sender asks again (`recall-emails.ts`). The box must be
 * locked.
 */
export async function cancelUnsent(tx: Tx, boxID: string, which: 'notices' | 'withdrawals'): Promise<void> {
  const prefix = which === 'notices' ? NOTICE : WITHDRAWAL
  const cancelled = await rows<{ id: number; error: string | null }>(
    tx,
    sql`delete from jobs j using recall_notices n
        where j.queue = ${MAIL_QUEUE} and j.unique_key = ${prefix}::text || n.id and ${ofBox(boxID)}
          and j.leased_until is null
        returning n.id, j.last_error as error`,
  )
  if (which !== 'notices') return
  const taken = cancelled.filter(({ error }) => error === NOT_NOTED).map(({ id }) => id)
  await noteTold(tx, taken)
}

/** Notes that a mail server took the emails of these notices. Idempotent. */
export const noteTold = (tx: Tx, ids: readonly number[]): Promise<unknown> =>
  rows(
    tx,
    sql`update recall_notices set sent_at = coalesce(sent_at, clock_timestamp()), withdrawal_sent_at = null
        where id = any(${sql.param([...ids])}::int[])`,
  )

/** Who was told of a recall of this box, and not since that it was withdrawn: an order with its newest notice. */
export const toldOrders = (tx: Tx, boxID: string): Promise<{ orderId: string; id: number }[]> =>
  rows(
    tx,
    sql`select n.order_id as "orderId", max(n.id) as id from recall_notices n
        where ${ofBox(boxID)} and n.sent_at is not null and n.withdrawal_sent_at is null
        group by n.order_id`,
  )

/** Notes that the buyer of this notice's order knows that no recall of this box is in force. */
export const noteWithdrawn = (tx: Tx, boxID: string, id: number): Promise<unknown> =>
  rows(
    tx,
    sql`update recall_notices n set withdrawal_sent_at = clock_timestamp()
        where ${ofBox(boxID)} and n.order_id = (select order_id from recall_notices where id = ${id})
          and n.sent_at is not null and n.withdrawal_sent_at is null
          and n.recall_id in (select id from recalls where ended_at is not null)`,
  )
