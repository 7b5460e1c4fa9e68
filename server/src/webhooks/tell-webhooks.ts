import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_WEBHOOK_ROWS, MAX_WEBHOOK_WAITING, type WebhookKind, webhookKinds } from '@befaqt/domain/webhook'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { consume, type EventConsumer } from '#server/db/consume.ts'
import { eventKinds } from '#server/db/events.ts'
import { webhookMessages, webhooks } from '#server/db/schema/webhooks.ts'
import { enqueueAll } from '#server/jobs/queue.ts'
import { SHOP_WEBHOOK_QUEUE } from './send-message.ts'

/** Of what event each kind is told, and for how long more of it is taken into one message. */
const told: Readonly<Record<WebhookKind, { event: string; waitMs: number }>> = {
  'order.changed': { event: eventKinds.orderChanged, waitMs: 5_000 },
  'product.changed': { event: eventKinds.catalogueChanged, waitMs: 5_000 },
  'box.changed': { event: eventKinds.boxGrown, waitMs: 60_000 },
}
/** Messages out of one turn; of more the receiver reads everything anew. */
const MAX_AT_ONCE = 10

/** Makes messages of what happened, in the transaction in which the cursor moves. */
export const webhookConsumer: EventConsumer = {
  name: 'webhooks',
  kinds: [eventKinds.orderChanged, eventKinds.catalogueChanged, eventKinds.boxGrown],
  async work(tx, events) {
    const all = await liveWebhooks(tx)
    if (all.length === 0) return
    for (const kind of webhookKinds) {
      const own = events.filter((event) => event.kind === told[kind].event)
      if (own.length === 0) continue
      const keys = own.flatMap((event) => event.keys ?? [])
      const isAny = own.some((event) => event.keys === null)
      for (const { id, kinds } of all) if (kinds.includes(kind)) await tell(tx, id, kind, isAny ? null : keys)
    }
  },
  async startOver(tx) {
    for (const { id, kinds } of await liveWebhooks(tx))
      for (const kind of webhookKinds) if (kinds.includes(kind)) await tell(tx, id, kind, null)
  },
}

const liveWebhooks = (tx: Tx) =>
  tx.select({ id: webhooks.id, kinds: webhooks.kinds }).from(webhooks).where(isNull(webhooks.revokedAt))

const waiting = (webhookId: string, kind: string) =>
  and(
    eq(webhookMessages.webhookId, webhookId),
    eq(webhookMessages.kind, kind),
    isNull(webhookMessages.deliveredAt),
    isNull(webhookMessages.failedAt),
  )

/** Of a message about all there is always room. */
const hasRoom = sql`coalesce(cardinality(${webhookMessages.keys}), 0) < ${MAX_WEBHOOK_ROWS}`

/**
 * Takes what changed into the message that was not tried yet, as far as it has room, and makes messages of the rest. Where
 * too many wait, one that says to read everything anew takes their place.
 * @param keys null: not known which
 */
async function tell(
  tx: Tx,
  webhookId: string,
  kind: WebhookKind,
  keys: readonly string[] | null,
): Promise<void> {
  const [open] = await tx
    .select()
    .from(webhookMessages)
    .where(and(waiting(webhookId, kind), isNull(webhookMessages.body), hasRoom))
    .limit(1)
    .for('update')
  if (open !== undefined && open.keys === null) return
  const change = (now: string[] | null) =>
    tx
      .update(webhookMessages)
      .set({ keys: now })
      .where(eq(webhookMessages.id, open?.id ?? ''))
  if (keys === null) return void (await (open ? change(null) : add(tx, webhookId, kind, [null])))
  const before = open?.keys ?? []
  const fresh = [...new Set(keys)].filter((key) => !before.includes(key))
  const room = open === undefined ? 0 : MAX_WEBHOOK_ROWS - before.length
  if (open !== undefined && fresh.length > 0) await change([...before, ...fresh.slice(0, room)])
  const rest = fresh.slice(room)
  const parts = Array.from({ length: Math.ceil(rest.length / MAX_WEBHOOK_ROWS) }, (_, i) =>
    rest.slice(i * MAX_WEBHOOK_ROWS, (i + 1) * MAX_WEBHOOK_ROWS),
  )
  if (parts.length > 0) await add(tx, webhookId, kind, parts.length > MAX_AT_ONCE ? [null] : parts)
}

async function add(
  tx: Tx,
  webhookId: string,
  kind: WebhookKind,
  parts: readonly (readonly string[] | null)[],
): Promise<void> {
  const many =
    (await tx.$count(webhookMessages, waiting(webhookId, kind))) + parts.length > MAX_WEBHOOK_WAITING
  if (many) await dropWaiting(tx, webhookId, kind)
  const made = (many ? [null] : parts).map((keys) => ({
    id: randomUUID(),
    webhookId,
    kind,
    keys: keys && [...keys],
  }))
  await tx.insert(webhookMessages).values(made)
  const delayMs = told[kind].waitMs
  await enqueueAll(
    tx,
    SHOP_WEBHOOK_QUEUE,
    made.map(({ id }) => ({ payload: { id }, uniqueKey: id, delayMs })),
  )
}

/** Deletes what waits of a kind, but for what is under way. */
async function dropWaiting(tx: Tx, webhookId: string, kind: string): Promise<void> {
  await rows(
    tx,
    sql`with gone as (
          delete from jobs where queue = ${SHOP_WEBHOOK_QUEUE} and coalesce(leased_until < now(), true)
            and unique_key in (select id from webhook_messages where ${waiting(webhookId, kind)})
          returning unique_key)
        delete from webhook_messages where id in (select unique_key from gone)`,
  )
}

/** Between looks for events, where nobody tells of one. */
const PERIOD_MS = 1_000

type Deps = { db: Db; log: Logger }

/** Follows events until it is stopped; any number of processes may. @returns a function that stops it */
export function startTelling({ db, log }: Deps): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await consume(db, webhookConsumer, log)));
      } catch (err) {
        log.error({ err }, 'webhooks not told')
      }
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
