import { randomUUID } from 'node:crypto'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_WEBHOOKS, MadeWebhook, NewWebhook, WebhookView } from '@befaqt/domain/webhook'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { webhookMessages, webhooks } from '#server/db/schema/webhooks.ts'
import { fieldError } from '#server/http/field-error.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { SHOP_WEBHOOK_QUEUE, webhookContext } from './send-message.ts'
import { newWebhookSecret, webhookTargetError } from './webhook-request.ts'

const write = { access: 'admin', limits: 'manage-write', responses: { 204: null } } as const

export const webhookOperations = defineRoutes(endpoints, {
  listWebhooks: {
    summary: 'Webhooks with their last messages, and what their receivers answered.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: z.strictObject({ webhooks: z.array(WebhookView) }) },
  },
  addWebhook: {
    confirmed: true,
    summary: 'Add a webhook; its secret is returned this once.',
    access: 'admin',
    limits: 'manage-write',
    body: NewWebhook,
    responses: { 201: MadeWebhook },
  },
  removeWebhook: { ...write, summary: 'Remove a webhook, and what waits to be sent to it.' },
  testWebhook: { ...write, summary: 'Send a webhook a message of the type `test`.' },
  resendWebhookMessage: { ...write, summary: 'Send a message again that was delivered or given up.' },
})

type Deps = {
  db: Db
  now: () => Date
  secrets: Secrets
  config: { WEBHOOK_PRIVATE_HOSTS: readonly string[] }
}

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const webhookReads = {
  listWebhooks: ({ db }) => listWebhooks(db),
} satisfies Reads<typeof webhookOperations, Pick<Deps, 'db'>>

/** Machines of others that are told what changed, for owners. Source: desk.md 'Webhooks'. */
export function webhookRoutes(app: FastifyInstance, deps: Deps): void {
  registerReads(app, webhookOperations, webhookReads, deps)
  registerRoute(app, webhookOperations.addWebhook, ({ principal, body }) => addWebhook(deps, principal, body))
  registerRoute(app, webhookOperations.removeWebhook, async ({ principal, params }) => {
    await removeWebhook(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, webhookOperations.testWebhook, async ({ params }) => {
    await sendTest(deps, params.id)
    return undefined
  })
  registerRoute(app, webhookOperations.resendWebhookMessage, async ({ params }) => {
    await resend(deps.db, params)
    return undefined
  })
}

/** Messages of each that are listed. */
const LISTED = 10

async function listWebhooks(db: Db): Promise<{ webhooks: WebhookView[] }> {
  const all = await db
    .select()
    .from(webhooks)
    .where(isNull(webhooks.revokedAt))
    .orderBy(asc(webhooks.createdAt))
  type Listed = WebhookView['messages'][number] & { webhookId: string; at: string }
  const listed = await rows<Listed>(
    db,
    sql`select m.* from webhooks w cross join lateral (
          select webhook_id as "webhookId", id, kind, cardinality(keys) as rows, attempts,
            case when delivered_at is not null then 'delivered' when failed_at is not null then 'failed'
              else 'waiting' end as state,
            case when delivered_at is null then last_error end as answer, created_at as at
          from webhook_messages where webhook_id = w.id order by created_at desc, id limit ${LISTED}) m
        where w.revoked_at is null order by m.at desc, m.id`,
  )
  const counted = await rows<{ id: string; waiting: number; failed: number }>(
    db,
    sql`select webhook_id as id, count(*) filter (where failed_at is null)::int as waiting,
          count(*) filter (where failed_at is not null)::int as failed
        from webhook_messages where delivered_at is null group by webhook_id`,
  )
  return {
    webhooks: all.map(({ id, address, kinds, createdAt }) => ({
      id,
      address,
      kinds: kinds as WebhookView['kinds'],
      createdAt: createdAt.toISOString(),
      waiting: counted.find((one) => one.id === id)?.waiting ?? 0,
      failed: counted.find((one) => one.id === id)?.failed ?? 0,
      messages: listed
        .filter(({ webhookId }) => webhookId === id)
        .map(({ webhookId: _, at, ...message }) => ({ ...message, at: new Date(at).toISOString() })),
    })),
  }
}

/** @throws ShopError `input.invalid`, `conflict` */
async function addWebhook(deps: Deps, principal: Principal, input: NewWebhook): Promise<MadeWebhook> {
  const { address } = input
  const kinds = [...new Set(input.kinds)]
  const problem = await webhookTargetError(address, deps.config.WEBHOOK_PRIVATE_HOSTS)
  if (problem !== undefined) throw fieldError('address', problem)
  const [id, secret] = [randomUUID(), newWebhookSecret()]
  await deps.db.transaction(async (tx) => {
    await lockNamed(tx, 'webhooks')
    if ((await tx.$count(webhooks, isNull(webhooks.revokedAt))) >= MAX_WEBHOOKS)
      throw new ShopError('conflict', `There are ${MAX_WEBHOOKS} webhooks, the most that there can be.`)
    const sealed = deps.secrets.encrypt(secret, webhookContext(id))
    await tx.insert(webhooks).values({ id, address, kinds, secret: sealed, createdBy: actorId(principal) })
    await writeAuditEntry(tx, principal, 'webhook', id, { before: null, after: { address, kinds } })
  })
  return { id, secret }
}

/** @throws ShopError `not_found` */
async function removeWebhook({ db, now }: Deps, principal: Principal, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { address, kinds } = await lockLive(tx, id)
    await tx.update(webhooks).set({ revokedAt: now(), secret: null }).where(eq(webhooks.id, id))
    await writeAuditEntry(tx, principal, 'webhook', id, { before: { address, kinds }, after: null })
  })
}

/** @throws ShopError `not_found` */
async function lockLive(tx: Tx, id: string): Promise<typeof webhooks.$inferSelect> {
  const [found] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), isNull(webhooks.revokedAt)))
    .for('update')
  if (found === undefined) throw new ShopError('not_found', 'There is no such webhook.')
  return found
}

async function sendTest({ db, now }: Deps, webhookId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLive(tx, webhookId)
    const id = randomUUID()
    const body = JSON.stringify({ type: 'test', timestamp: now().toISOString(), data: {} })
    await tx.insert(webhookMessages).values({ id, webhookId, kind: 'test', keys: [], body })
    await enqueue(tx, SHOP_WEBHOOK_QUEUE, { id }, { uniqueKey: id })
  })
}

/** Sends a message again as it was, with its id and all attempts. @throws ShopError `not_found`, `conflict` */
async function resend(
  db: Db,
  { id: webhookId, message: id }: { id: string; message: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockLive(tx, webhookId)
    const [found] = await tx
      .select()
      .from(webhookMessages)
      .where(and(eq(webhookMessages.id, id), eq(webhookMessages.webhookId, webhookId)))
      .for('update')
    if (found === undefined) throw new ShopError('not_found', 'There is no such message.')
    if (found.deliveredAt === null && found.failedAt === null)
      throw new ShopError('conflict', 'It waits to be sent already.')
    const anew = { deliveredAt: null, failedAt: null, lastError: null, attempts: 0 }
    await tx.update(webhookMessages).set(anew).where(eq(webhookMessages.id, id))
    await enqueue(tx, SHOP_WEBHOOK_QUEUE, { id }, { uniqueKey: id })
  })
}
