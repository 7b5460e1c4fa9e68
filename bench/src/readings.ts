import { randomUUID } from 'node:crypto'
import type { MqttClient } from 'mqtt'
import pg from 'pg'
import { testPostgres } from '../../server/src/testing/database.ts'
import { freePort } from '../../tools/test/free-port.ts'
import { device } from './field.ts'
import { row, tableHead } from './load-table.ts'
import { costOf, type Shop, startShop } from './shop.ts'
import { sized } from './sized.ts'

/**
 * Prints how many readings a second a shop on PostgreSQL ingests, and what share that is of plain rows inserted by as
 * many connections in the same run: `TEST_DATABASE_URL=postgres://… node bench/src/readings.ts`.
 */
const CONNECTIONS = 4
const BATCH = sized(1_000, 200)
const BATCHES = sized(40, 2)
const STEP_MS = 60_000
const DEVICES = sized(50, 3)
const PER_DEVICE = sized(40, 3)

const perSecond = (n: number, ms: number): number => Math.round((n * 1000) / ms)

/** Runs all tasks, as many concurrently as there are connections. Returns milliseconds. */
async function together<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const queue = items.values()
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return performance.now() - began
}

/** The `i`th reading of a box: a minute after the previous one. */
const readingAt = (i: number) => ({
  iotID: 'L-1',
  time: new Date(Date.UTC(2026, 0, 1) + i * STEP_MS).toISOString(),
  latitude: -33.5,
  longitude: 151.5,
  temperature: 1 + (i % 10) / 10,
})

/** Batches of readings of `boxes` boxes each; all batches are of the same boxes, which grow. */
const batchesOf = (boxIDs: readonly string[]): string[] =>
  Array.from({ length: BATCHES }, (_, batch) => {
    const each = BATCH / boxIDs.length
    const readings = boxIDs.flatMap((box) =>
      Array.from({ length: each }, (_, i) => ({ box, ...readingAt(batch * each + i) })),
    )
    return JSON.stringify({ readings })
  })

async function registered({ url, key }: Shop, boxes: number): Promise<string[]> {
  const ids = Array.from({ length: boxes }, () => randomUUID())
  const fisher = {
    traderID: 'B-1',
    traderName: 'Bench',
    companyName: 'Bench',
    boat: 'Bench',
    address: 'Bench',
  }
  for (const boxID of ids) await post(`${url}/api/box/registration`, key, JSON.stringify({ boxID, fisher }))
  return ids
}

async function post(url: string, key: string, body: string): Promise<{ accepted?: number }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

async function overHttp(shop: Shop, batches: readonly string[]): Promise<number> {
  let accepted = 0
  await together(batches, async (batch) => {
    const answer = await post(`${shop.url}/api/tracking`, shop.key, batch)
    accepted += answer.accepted ?? 0
  })
  if (accepted !== BATCH * BATCHES) throw new Error(`${accepted} readings were accepted`)
  return accepted
}

/** Rows of the same size in a table with the same key, without computation: the best that the database can do. */
async function plainRows(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  await pool.query(
    'create table plain (box_id text, seq int, body text, hash text, primary key (box_id, seq))',
  )
  const body = JSON.stringify({
    ...readingAt(0),
    box: 'B-1',
    by: 'L-1',
    kind: 'tracking',
    salt: 'x'.repeat(32),
    v: 1,
  })
  const rows = Array.from({ length: BATCH }, (_, i) => `($1, $2 + ${i}, $3, $4)`)
  const batches = Array.from({ length: BATCHES }, (_, i) => i)
  const ms = await together(batches, (batch) =>
    pool.query(`insert into plain values ${rows.join()}`, [`B-${batch}`, 0, body, 'f'.repeat(64)]),
  )
  await pool.end()
  return perSecond(BATCH * BATCHES, ms)
}

type Device = { client: MqttClient; topic: string }

/** A device for each of these boxes. */
const connected = (shop: Shop, port: number, boxIDs: readonly string[]): Promise<Device[]> =>
  Promise.all(
    boxIDs.map(async (box) => ({ client: await device(shop, port), topic: `befaqt/${box}/tracking` })),
  )

/** Each publishes one reading after the other, waiting for every acknowledgement. */
async function overMqtt(devices: readonly Device[]): Promise<number> {
  const each = Array.from({ length: PER_DEVICE }, (_, i) => JSON.stringify(readingAt(i)))
  await Promise.all(
    devices.map(async ({ client, topic }) => {
      for (const reading of each) await client.publishAsync(topic, reading, { qos: 1 })
    }),
  )
  return devices.length * PER_DEVICE
}

await using database = await testPostgres()
const plain = await plainRows(database.url)
const port = await freePort()
const env = {
  DATABASE_URL: database.url,
  SAMPLE_DATA: 'off',
  MQTT_PORT: String(port),
  ANCHOR_INTERVAL_S: '5',
}
await using shop = await startShop(env)
console.log(`\n${CONNECTIONS} connections; plain rows, ${BATCH} a statement: ${plain}/s.`)
tableHead('what', 'readings/s', 'of plain rows', 'per second of the server’s processor')

async function measured(what: string, readings: () => Promise<number>): Promise<void> {
  const { result: taken, ms, cpuMs } = await costOf(shop, readings)
  const rate = perSecond(taken, ms)
  const ofProcessor = perSecond(taken, cpuMs)
  row(what, rate, `${((100 * rate) / plain).toFixed(1)} %`, ofProcessor)
}

for (const boxes of [10, 50, 200]) {
  const batches = batchesOf(await registered(shop, boxes))
  const grown = (BATCH * BATCHES) / boxes
  await measured(`HTTP, batches of ${BATCH} of ${boxes} boxes that grow to ${grown} readings`, () =>
    overHttp(shop, batches),
  )
}
const devices = await connected(shop, port, await registered(shop, DEVICES))
await measured(`MQTT, ${DEVICES} devices that wait for each acknowledgement`, () => overMqtt(devices))
await Promise.all(devices.map(({ client }) => client.endAsync()))
