import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { attemptWebhook } from '#server/webhooks/send-message.ts'
import type { NoticeDeps } from './notify.ts'

export type WebhookDeps = NoticeDeps & { config: { WEBHOOK_PRIVATE_HOSTS: readonly string[] } }

/** What a secret of a target is encrypted for. */
export const secretContext = (targetId: string): string => `webhook ${targetId}`

const Job = z.object({ id: z.string() })

/**
 * Sends one message. It is tried again with growing delays; each attempt has the same id and body, and a new timestamp.
 * When it fails for good, the message shows its last error.
 */
export const sendWebhookJob =
  (deps: WebhookDeps): JobHandler =>
  async (payload, signal) => {
    const { id } = Job.parse(payload)
    const [found] = await deps.db
      .select()
      .from(noticeDeliveries)
      .innerJoin(noticeTargets, eq(noticeTargets.id, noticeDeliveries.targetId))
      .where(eq(noticeDeliveries.id, id))
    if (found === undefined || found.notice_deliveries.deliveredAt !== null) return
    if (found.notice_deliveries.cancelledAt !== null) return
    const { notice_deliveries: message, notice_targets: target } = found
    const note = (values: Partial<typeof noticeDeliveries.$inferInsert>) =>
      deps.db
        .update(noticeDeliveries)
        .set({ attempts: sql`${noticeDeliveries.attempts} + 1`, ...values })
        .where(eq(noticeDeliveries.id, id))
    if (target.revokedAt !== null || target.secret === null) {
      await note({ failedAt: deps.now(), lastError: 'The target was removed.' })
      return
    }
    const secret = deps.secrets.decrypt(target.secret, secretContext(target.id))
    await attemptWebhook(deps, { ...message, address: target.address, secret }, note, signal)
  }
