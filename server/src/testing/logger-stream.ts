import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { MqttClient } from 'mqtt'
import { type Db, rows } from '#server/db/client.ts'
import { connectTo, refusedOf, trackingOf } from './mqtt.ts'
import { historyOf } from './readings.ts'

/** What one logger sends about its box: signed messages of one reading each, in the order of their counters. */
export type LoggerStream = { box: string; messages: readonly Uint8Array[] }

type Stream = {
  /** Where and with which key it connects; nothing for a broker that asks for none. */
  port: number
  key?: string
  /** Messages that may wait for their acknowledgement. */
  inFlight: number
  /** A broker that is killed forgets what it acknowledged this long before: it is sent again. */
  forgetsMs?: number
  onAcknowledged: () => void
  /** Gives up, as when another logger has failed. */
  ended: AbortSignal
}

const RETRY_MS = 100

/** `streamReadings` of all loggers; answers how many messages they sent. @throws Error the first that one of them met */
export async function streamAll(
  loggers: readonly LoggerStream[],
  stream: Omit<Stream, 'ended'>,
): Promise<number> {
  const ending = new AbortController()
  const all = loggers.map((logger) => streamReadings(logger, { ...stream, ended: ending.signal }))
  try {
    return (await Promise.all(all)).reduce((sum, sent) => sum + sent, 0)
  } finally {
    ending.abort()
    await Promise.allSettled(all)
  }
}

/**
 * Publishes all messages at QoS 1 as a careful logger does: in their order and, on a new connection, again from the first
 * that was not acknowledged. Answers how many it sent in all. @throws Error when one is refused, or acknowledged out of order
 */
async function streamReadings(logger: LoggerStream, stream: Stream): Promise<number> {
  const acknowledgedAt: number[] = []
  let sent = 0
  while (acknowledgedAt.length < logger.messages.length) {
    const client = await connected(stream)
    sent += await sendOn(client, logger, stream, acknowledgedAt)
    const lost = performance.now() - (stream.forgetsMs ?? 0)
    const isLast = acknowledgedAt.length === logger.messages.length
    while (!isLast && (acknowledgedAt.at(-1) ?? 0) > lost) acknowledgedAt.pop()
  }
  return sent
}

async function connected({ port, key, ended }: Stream): Promise<MqttClient> {
  for (;;) {
    ended.throwIfAborted()
    const user = key === undefined ? {} : { username: 'key', password: key }
    const client = await connectTo(port, { ...user, connectTimeout: 5_000 }).catch(() => undefined)
    if (client !== undefined) return client
    await wait(RETRY_MS)
  }
}

/** Sends on one connection until it ends or all is acknowledged. Answers how many it sent. */
async function sendOn(
  client: MqttClient,
  { box, messages }: LoggerStream,
  { inFlight, onAcknowledged, ended }: Stream,
  acknowledgedAt: number[],
): Promise<number> {
  const first = acknowledgedAt.length
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  let next = first
  const send = (): void => {
    while (next < messages.length && next - acknowledgedAt.length < inFlight) {
      const i = next++
      client.publish(trackingOf(box), Buffer.from(messages[i] ?? []), { qos: 1 }, (error) => {
        if (error) return resolve()
        if (i !== acknowledgedAt.length) return reject(new Error(`${box}: ${i} was acknowledged too early`))
        acknowledgedAt.push(performance.now())
        onAcknowledged()
        if (acknowledgedAt.length === messages.length) resolve()
        else send()
      })
    }
  }
  client.once('close', () => resolve())
  ended.addEventListener('abort', () => client.end(true))
  client.on('message', (_topic, note) => reject(new Error(`${box}: ${note}`)))
  try {
    await client.subscribeAsync(refusedOf(box), { qos: 1 }).then(send, () => resolve())
    await over
  } finally {
    client.end(true)
  }
  return next - first
}

/**
 * Every box holds the messages of its logger once each, to the byte, and its head commits to them.
 * @param order of several processes they come in any
 */
export async function checkStored(
  db: Db,
  loggers: readonly LoggerStream[],
  order: 'sent' | 'any' = 'sent',
): Promise<void> {
  for (const { box, messages } of loggers) {
    const found = await rows<{ bytes: string }>(
      db,
      sql`select body::json #>> '{data,signed,bytes}' as bytes from records
          where box_id = ${box} and kind = 'tracking' order by seq`,
    )
    const inOrder = (all: string[]): string[] => (order === 'any' ? all.toSorted() : all)
    const sent = inOrder(messages.map((message) => Buffer.from(message).toString('hex')))
    assert.equal(found.length, sent.length, `readings of ${box}`)
    for (const [i, bytes] of inOrder(found.map(({ bytes }) => bytes)).entries())
      assert.equal(bytes, sent[i], `reading ${i} of ${box}`)
    await historyOf(db, box)
  }
}
