import { z } from 'zod'
import { schemaNames } from './fields.ts'

/** What other machines may be told of. */
export const webhookKinds = ['order.changed', 'product.changed', 'box.changed'] as const
export type WebhookKind = (typeof webhookKinds)[number]

/** Of more nobody would look after. */
export const MAX_WEBHOOKS = 20
/** Of one message; where more changed, there are more messages. */
export const MAX_WEBHOOK_ROWS = 100
/** Messages of one kind that wait for a receiver; more are replaced by one that says to read everything anew. */
export const MAX_WEBHOOK_WAITING = 100

export const NewWebhook = z
  .strictObject({
    address: z.string().trim().min(1, 'address is required').max(500),
    kinds: z.array(z.enum(webhookKinds)).min(1, 'choose at least one').max(webhookKinds.length),
  })
  .register(schemaNames, { id: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

/** `secret`: in the form of Standard Webhooks, never to be read again. */
export const MadeWebhook = z
  .strictObject({ id: z.string(), secret: z.string() })
  .register(schemaNames, { id: 'MadeWebhook' })
export type MadeWebhook = z.infer<typeof MadeWebhook>

/** `waiting`: not sent yet, or to be tried again; `failed`: given up. */
export const webhookMessageStates = ['waiting', 'delivered', 'failed'] as const

export const WebhookMessage = z
  .strictObject({
    id: z.string(),
    kind: z.enum([...webhookKinds, 'test']),
    /** How many it is about; null: all of them. */
    rows: z.int().nullable(),
    state: z.enum(webhookMessageStates),
    attempts: z.int(),
    /** What the receiver answered last, or why it was not reached; null: it took it, or was not asked yet. */
    answer: z.string().nullable(),
    at: z.iso.datetime(),
  })
  .register(schemaNames, { id: 'WebhookMessage' })
export type WebhookMessage = z.infer<typeof WebhookMessage>

export const WebhookView = z
  .strictObject({
    id: z.string(),
    address: z.string(),
    kinds: z.array(z.enum(webhookKinds)),
    createdAt: z.iso.datetime(),
    waiting: z.int(),
    failed: z.int(),
    /** The last ones, the newest first. */
    messages: z.array(WebhookMessage),
  })
  .register(schemaNames, { id: 'Webhook' })
export type WebhookView = z.infer<typeof WebhookView>
