import { randomUUID } from 'node:crypto'
import { connectAsync, type MqttClient } from 'mqtt'
import { boxOf, readingOf } from './boxes.ts'
import type { Shop } from './shop.ts'
import { bearer } from './sign-in.ts'

/** Timeout of a request, which then counts as failed. */
const TIMEOUT_MS = 30_000

/** Calls the shop with its operator key. @throws Error on a timeout, or on a status other than 2xx */
export async function call(
  { url, key }: Pick<Shop, 'url' | 'key'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, headers, signal, ...sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  return text
}

/** Registers a box with its catch. Returns its id. */
export async function newBox(shop: Pick<Shop, 'url' | 'key'>): Promise<string> {
  const boxID = `FIELD-${randomUUID()}`
  const { fisher, catchProv } = boxOf(boxID, 0)
  await call(shop, 'POST', '/api/box/registration', { boxID, fisher })
  await call(shop, 'POST', `/api/box/${boxID}/catch`, catchProv)
  return boxID
}

/** Synthetic readings of a box, from number `from` on. */
export const readingsOf = (box: string, from: number, n: number) =>
  Array.from({ length: n }, (_, i) => ({ box, ...timed(from + i) }))

/** Ten seconds after the previous one: a box of 50,000 ends before today. */
function timed(i: number) {
  return { ...readingOf(i), time: new Date(Date.UTC(2026, 9, 1) + i * 10_000).toISOString() }
}

/** Sends readings in one batch. Returns how many were new. */
export async function sendBatch(shop: Shop, readings: readonly unknown[]): Promise<number> {
  const answer: { accepted: number } = JSON.parse(await call(shop, 'POST', '/api/tracking', { readings }))
  return answer.accepted
}

/** A device with the operator's key. */
export const device = ({ key }: Shop, port: number): Promise<MqttClient> =>
  connectAsync({ host: '127.0.0.1', port, username: 'key', password: key })

/** Publishes one reading and waits until it is acknowledged. */
export const publish = (client: MqttClient, box: string, i: number): Promise<unknown> =>
  client.publishAsync(`befaqt/${box}/tracking`, JSON.stringify(timed(i)), { qos: 1 })
