import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { webhookMessages, webhooks } from '#server/db/schema/webhooks.ts'
import { type JobHandler, PermanentError } from '#server/jobs/run.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { postWebhook, signatureHeaders } from './webhook-request.ts'

/** The queue of messages about what changed in the shop. */
export const SHOP_WEBHOOK_QUEUE = 'webhook.send'

/** Attempts until a message is given up: with the queue's backoff that is some eleven hours. */
const MAX_ATTEMPTS = 13
const MAX_ANSWER = 300

/** What a secret of a webhook is encrypted for. */
export const webhookContext = (id: string): string => `shop webhook ${id}`

type Attempting = { now: () => Date; config: { WEBHOOK_PRIVATE_HOSTS: readonly string[] } }
type Signed = { id: string; address: string; secret: string; body: string; attempts: number }
type Noted = { deliveredAt?: Date; failedAt?: Date; lastError: string | null }

/**
 * Sends a message once, signed with a new timestamp, and notes what came of it. It is tried again with growing delays,
 * each time with the same id and body, until it is given up.
 * @throws Error what the receiver answered, or why it was not reached
 */
export async function attemptWebhook(
  { now, config }: Attempting,
  { id, address, secret, body, attempts }: Signed,
  note: (what: Noted) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const headers = signatureHeaders(secret, id, body, now().getTime())
    await postWebhook(address, { body, headers, allowed: config.WEBHOOK_PRIVATE_HOSTS, signal })
    await note({ deliveredAt: now(), lastError: null })
  } catch (error) {
    signal.throwIfAborted()
    const lastError = error instanceof Error ? error.message.slice(0, MAX_ANSWER) : 'unknown'
    const isLast = attempts + 1 >= MAX_ATTEMPTS
    await note({ lastError, ...(isLast && { failedAt: now() }) })
    throw isLast ? new PermanentError(lastError, error) : error
  }
}

const Job = z.object({ id: z.string() })

type Deps = Attempting & { db: Db; secrets: Secrets }

/** Sends a message about what changed. What it says is read now, before its first attempt, and stays. */
export const sendShopWebhookJob =
  (deps: Deps): JobHandler =>
  async (payload, signal) => {
    const { id } = Job.parse(payload)
    const { db, now, secrets } = deps
    const [target] = await db
      .select({ id: webhooks.id, address: webhooks.address, secret: webhooks.secret })
      .from(webhookMessages)
      .innerJoin(webhooks, eq(webhooks.id, webhookMessages.webhookId))
      .where(and(eq(webhookMessages.id, id), isNull(webhookMessages.deliveredAt)))
    if (target === undefined) return
    const note = (values: Noted) =>
      db
        .update(webhookMessages)
        .set({ attempts: sql`${webhookMessages.attempts} + 1`, ...values })
        .where(eq(webhookMessages.id, id))
    if (target.secret === null) {
      await note({ failedAt: now(), lastError: 'The webhook was removed.' })
      return
    }
    const message = await db.transaction((tx) => withBody(tx, id, now()))
    if (message === null) return
    const secret = secrets.decrypt(target.secret, webhookContext(target.id))
    await attemptWebhook(deps, { ...message, address: target.address, secret }, note, signal)
  }

/** The message with what it says, which is made when it has none: nothing is added to its keys any more. */
async function withBody(
  tx: Tx,
  id: string,
  now: Date,
): Promise<Pick<Signed, 'id' | 'body' | 'attempts'> | null> {
  const [found] = await tx.select().from(webhookMessages).where(eq(webhookMessages.id, id)).for('update')
  if (found === undefined) return null
  const { kind, keys, attempts } = found
  if (found.body !== null) return { id, body: found.body, attempts }
  const data = keys === null ? { all: true } : { all: false, ...(await dataOf(tx, kind, keys)) }
  const body = JSON.stringify({ type: kind, timestamp: now.toISOString(), data })
  await tx.update(webhookMessages).set({ body }).where(eq(webhookMessages.id, id))
  return { id, body, attempts }
}

/**
 * What is said of each that changed, as it is now: what a receiver needs to see whether it has to ask for more, and
 * nothing personal. Amounts in cents.
 */
const said: Readonly<Record<string, { name: string; key: string; select: SQL }>> = {
  'order.changed': {
    name: 'orders',
    key: '_id',
    select: sql`select id as "_id", number, status, version, kind, total_cents as total,
      to_char(slot_starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "slotStartsAt" from orders`,
  },
  'product.changed': {
    name: 'products',
    key: '_id',
    select: sql`select id as "_id", title, status, price_cents as price, discount, unit, stock::float8 as stock, version
      from products`,
  },
  'box.changed': {
    name: 'boxes',
    key: 'boxID',
    select: sql`select id as "boxID", count as records, stage, sealed, recall_id is not null as recalled,
      off_sale_at is not null as "offSale" from boxes`,
  },
}

/** @returns the rows by the name of their kind, and `gone`: the ids of which there is nothing any more */
async function dataOf(tx: Tx, kind: string, keys: readonly string[]): Promise<object> {
  const of = said[kind]
  if (of === undefined) return {}
  const found = await rows<Record<string, unknown>>(
    tx,
    sql`${of.select} where id = any(${sql.param([...keys])}::text[]) order by id`,
  )
  const there = new Set(found.map((row) => row[of.key]))
  return { [of.name]: found, gone: keys.filter((key) => !there.has(key)) }
}
