import { DAY_MS } from '@befaqt/domain/durations'
import { and, lt, sql } from 'drizzle-orm'
import { deletes, moment, type Retention } from '#server/db/retention.ts'
import { webhookMessages, webhooks } from '#server/db/schema/webhooks.ts'

const MESSAGES_MS = 30 * DAY_MS

/** Messages, long after the last attempt of those that failed, and webhooks that were removed, once none is left of theirs. */
export const webhookRetention: readonly Retention[] = [
  deletes(webhookMessages, (now) => lt(webhookMessages.createdAt, moment(now, MESSAGES_MS))),
  deletes(webhooks, (now) =>
    and(
      lt(webhooks.revokedAt, moment(now, MESSAGES_MS)),
      sql`not exists (select from webhook_messages m where m.webhook_id = ${webhooks.id})`,
    ),
  ),
]
