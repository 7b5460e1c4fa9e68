import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import { type JobHandler, PermanentError } from '#server/jobs/run.ts'
import type { NoticeDeps } from './notify.ts'
import { postWebhook, signatureHeaders } from './webhook-request.ts'

/** Attempts until a message is given up: with the queue's backoff that is some eleven hours. */
const MAX_ATTEMPTS = 13

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
    try {
      const secret = deps.secrets.decrypt(target.secret, secretContext(target.id))
      const headers = signatureHeaders(secret, message.id, message.body, deps.now().getTime())
      const allowed = deps.config.WEBHOOK_PRIVATE_HOSTS
      await postWebhook(target.address, { body: message.body, headers, allowed, signal })
      await note({ deliveredAt: deps.now(), lastError: null })
    } catch (error) {
      signal.throwIfAborted()
      const lastError = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
      const isLast = message.attempts + 1 >= MAX_ATTEMPTS
      await note({ lastError, ...(isLast && { failedAt: deps.now() }) })
      throw isLast ? new PermanentError(lastError, error) : error
    }
  }
