import { randomUUID } from 'node:crypto'
import type { EmailName } from '@befaqt/domain/email-texts'
import { excursionText } from '@befaqt/domain/excursions'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import type { excursions } from '#server/db/schema/excursions.ts'
import { noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import { enqueue } from '#server/jobs/queue.ts'
import {
  buttonOf,
  type EmailContent,
  type EmailTexts,
  filledEmail,
  note,
  text,
} from '#server/mail/email-content.ts'
import { type EmailReceipts, MAIL_QUEUE, queueEmail } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

export type ExcursionRow = typeof excursions.$inferSelect
export type NoticeEvent = (typeof noticeDeliveries.$inferSelect)['event']
export const WEBHOOK_QUEUE = 'excursion.webhook'

export type NoticeDeps = {
  db: Db
  now: () => Date
  secrets: Secrets
  config: { PUBLIC_URL: string }
} & EmailTexts

/** What a notice takes back: not sent yet, it is cancelled; sent, whoever got it is told. */
const reverses: Partial<Record<NoticeEvent, readonly NoticeEvent[]>> = {
  withdrawn: ['opened', 'ended', 'resumed', 'closed', 'reopened'],
  resumed: ['ended'],
  ended: ['resumed'],
  reopened: ['closed'],
}

/**
 * Queues the notifications of an excursion in the transaction that changed it: to every target; of what takes another
 * notice back only to those who were told, while what was not sent yet is cancelled. That one is open again is told to
 * all: it became worse.
 */
export async function queueNotices(
  tx: Tx,
  deps: NoticeDeps,
  row: ExcursionRow,
  event: NoticeEvent,
): Promise<void> {
  const taken = await takeBack(tx, deps, row.id, reverses[event] ?? [])
  const targets = await tx.select().from(noticeTargets).where(isNull(noticeTargets.revokedAt))
  const link = `${deps.config.PUBLIC_URL}/manage/excursion/${row.id}`
  for (const target of targets) {
    const isTold = taken.told.has(target.id)
    if ((event === 'withdrawn' || event === 'resumed') && !isTold) continue
    if (event === 'ended' && taken.cancelled.has(target.id) && !isTold) continue
    const id = randomUUID()
    const timestamp = deps.now().toISOString()
    const isEmail = target.kind === 'email'
    const body = JSON.stringify({ type: `excursion.${event}`, timestamp, data: noticeData(row, link) })
    const delivery = { id, targetId: target.id, excursionId: row.id, event, body: isEmail ? '' : body }
    await tx.insert(noticeDeliveries).values(delivery)
    if (isEmail) {
      const content = excursionEmail(deps, row, event, link)
      const email = { kind: 'excursion' as const, to: target.address, content, receipt: receiptOf(id) }
      await queueEmail(tx, deps.secrets, email, deps.now())
    } else await enqueue(tx, WEBHOOK_QUEUE, { id }, { uniqueKey: id })
  }
}

/** Cancels notices of these events that were not delivered. @returns targets of these, and of those that were or may be */
async function takeBack(
  tx: Tx,
  { now }: NoticeDeps,
  excursionId: string,
  events: readonly NoticeEvent[],
): Promise<{ told: Set<string>; cancelled: Set<string> }> {
  const [told, cancelled] = [new Set<string>(), new Set<string>()]
  if (events.length === 0) return { told, cancelled }
  const sent = await tx
    .select()
    .from(noticeDeliveries)
    .where(and(eq(noticeDeliveries.excursionId, excursionId), isNull(noticeDeliveries.cancelledAt)))
    .for('update')
  for (const { id, targetId, event, deliveredAt } of sent) {
    if (!events.includes(event)) continue
    if (deliveredAt !== null) {
      told.add(targetId)
      continue
    }
    const keys = sql`((queue = ${WEBHOOK_QUEUE} and unique_key = ${id})
      or (queue = ${MAIL_QUEUE} and unique_key = ${receiptOf(id)}))`
    // One that is under way may arrive: it is not tried again, and its receiver is told.
    const jobs = await rows<{ isUnderWay: boolean }>(
      tx,
      sql`select coalesce(leased_until > now(), false) as "isUnderWay" from jobs where ${keys} for update`,
    )
    const isUnderWay = jobs.some((job) => job.isUnderWay)
    if (!isUnderWay) await rows(tx, sql`delete from jobs where ${keys}`)
    await tx.update(noticeDeliveries).set({ cancelledAt: now() }).where(eq(noticeDeliveries.id, id))
    ;(isUnderWay ? told : cancelled).add(targetId)
  }
  return { told, cancelled }
}

const PREFIX = 'excursion-notice:'

/** By what the queue of emails knows a notice. */
export const receiptOf = (deliveryId: string): string => `${PREFIX}${deliveryId}`

/** What is asked and told about emails of notices: one that was cancelled meanwhile is not sent. */
export const noticeReceipts = (db: Db): EmailReceipts => ({
  async isWanted(receipt) {
    if (!receipt.startsWith(PREFIX)) return true
    const isIt = eq(noticeDeliveries.id, receipt.slice(PREFIX.length))
    const [found] = await db.select().from(noticeDeliveries).where(isIt)
    return found === undefined || found.cancelledAt === null
  },
  async noteSent(tx, receipt) {
    if (!receipt.startsWith(PREFIX)) return
    await tx
      .update(noticeDeliveries)
      .set({ deliveredAt: sql`coalesce(delivered_at, clock_timestamp())` })
      .where(eq(noticeDeliveries.id, receipt.slice(PREFIX.length)))
  },
})

const noticeData = (row: ExcursionRow, link: string) => ({
  id: row.id,
  box: row.boxId,
  kind: row.kind,
  since: row.since.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  peak: row.peak,
  limit: row.limitDegrees,
  closed: row.closedAt !== null,
  withdrawn: row.withdrawnAt !== null,
  link,
})

/** Notices by email are in the words of staff; how warm it was, and what an excursion is not, is always said. */
function excursionEmail(deps: NoticeDeps, row: ExcursionRow, event: NoticeEvent, link: string): EmailContent {
  const name: EmailName =
    event === 'withdrawn' && row.mergedInto !== null ? 'excursion-merged' : `excursion-${event}`
  const was = excursionText(row)
  return filledEmail(deps, name, {
    box: row.boxId,
    details: [text(event === 'withdrawn' ? `It was noted as: ${was}` : was)],
    links: [
      buttonOf(deps, name, link),
      note('An excursion prompts a check. It is not a food-safety ruling.'),
    ],
  })
}
