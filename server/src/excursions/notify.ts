import { randomUUID } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import type { excursions } from '#server/db/schema/excursions.ts'
import { noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { button, type EmailContent, note, text } from '#server/mail/email-content.ts'
import { queueEmail } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

export type ExcursionRow = typeof excursions.$inferSelect
export type NoticeEvent = 'opened' | 'ended' | 'closed'
export const WEBHOOK_QUEUE = 'excursion.webhook'

export type NoticeDeps = {
  db: Db
  now: () => Date
  secrets: Secrets
  config: { PUBLIC_URL: string }
  siteFile: { name: string }
}

/** Queues the notifications of an excursion, to every target, in the transaction that changed it. */
export async function queueNotices(
  tx: Tx,
  deps: NoticeDeps,
  row: ExcursionRow,
  event: NoticeEvent,
): Promise<void> {
  const targets = await tx.select().from(noticeTargets).where(isNull(noticeTargets.revokedAt))
  const link = `${deps.config.PUBLIC_URL}/manage/excursion/${row.id}`
  for (const target of targets) {
    if (target.kind === 'email') {
      const content = excursionEmail(deps.siteFile.name, row, event, link)
      await queueEmail(tx, deps.secrets, { kind: 'excursion', to: target.address, content }, deps.now())
      continue
    }
    const id = randomUUID()
    const timestamp = deps.now().toISOString()
    const body = JSON.stringify({ type: `excursion.${event}`, timestamp, data: noticeData(row, link) })
    await tx.insert(noticeDeliveries).values({ id, targetId: target.id, excursionId: row.id, event, body })
    await enqueue(tx, WEBHOOK_QUEUE, { id }, { uniqueKey: id })
  }
}

const noticeData = (row: ExcursionRow, link: string) => ({
  id: row.id,
  box: row.boxId,
  kind: row.kind,
  since: row.since.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  peak: row.peak,
  limit: row.limitDegrees,
  closed: row.closedAt !== null,
  link,
})

/** What an excursion is, in a sentence. */
export const excursionText = (
  row: Pick<ExcursionRow, 'kind' | 'limitDegrees' | 'limitMinutes' | 'peak'>,
): string =>
  row.kind === 'silent'
    ? 'Sensor silent: no reading for longer than usual.'
    : `Above ${row.limitDegrees} °C for ${row.limitMinutes} minutes or longer, up to ${row.peak?.toFixed(1)} °C.`

const happened = { opened: 'began', ended: 'ended by itself', closed: 'was closed by a manager' } as const

const excursionEmail = (shop: string, row: ExcursionRow, event: NoticeEvent, link: string): EmailContent => ({
  subject: `${shop}: an excursion of box ${row.boxId} ${happened[event]}`,
  heading: `Box ${row.boxId}: an excursion ${happened[event]}`,
  blocks: [
    text(excursionText(row)),
    button('Look at it', link),
    note('An excursion prompts a check. It is not a food-safety ruling.'),
  ],
})
