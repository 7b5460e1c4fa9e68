import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

const at = () => timestamp({ withTimezone: true })

/** Machines of others that are told what changed. `secret`: encrypted, null once it was removed. */
export const webhooks = pgTable('webhooks', {
  id: text().primaryKey(),
  address: text().notNull(),
  secret: text(),
  kinds: text().array().notNull(),
  createdBy: text().notNull(),
  createdAt: moment(),
  revokedAt: at(),
})

/** What they are told. Until its first attempt a message takes in more keys; from then on its body stays. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: text().primaryKey(),
    webhookId: text()
      .notNull()
      .references(() => webhooks.id),
    kind: text().notNull(),
    /** Ids of what changed; null: not known which, all may have. */
    keys: text().array(),
    /** As it is signed and sent, at each attempt the same; null before the first. */
    body: text(),
    attempts: integer().notNull().default(0),
    deliveredAt: at(),
    /** Given up. */
    failedAt: at(),
    lastError: text(),
    createdAt: moment(),
  },
  (t) => [
    index().on(t.webhookId, t.createdAt),
    index('webhook_messages_waiting')
      .on(t.webhookId, t.kind)
      .where(sql`delivered_at is null and failed_at is null`),
    index().on(t.createdAt),
  ],
)
