import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { auditSampleJob } from '#server/box-audit/audit-boxes.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { workersOf } from '#server/job-registry.ts'
import { startWorker } from '#server/jobs/lane.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { startWatch, watchBoxes } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const DAY_LATER = START + 24 * 60 * MIN
/** When sensors that were read within the hour are not silent yet: silence has a box followed, too. */
const beforeSilence = () => new Date(START + 70 * MIN)
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }
const silent = { warn: () => undefined, error: () => undefined }

async function shopWith(boxIDs: readonly string[], more: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop({ deps: { now: () => new Date(DAY_LATER) }, ...more })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  for (const boxID of boxIDs) await admin('POST', '/api/box/registration', { boxID, fisher })
  return { ...shop, admin }
}

/** Takes a reading of a box, ten minutes after the one before. */
async function read({ deps }: TestShop, box: string, n: number, temperature: number): Promise<void> {
  const time = new Date(START + n * 10 * MIN).toISOString()
  const input = { box, iotID: 'L-1', time, latitude: -33.5, longitude: 150.5, temperature }
  assert.deepEqual((await ingestReadings(deps, [{ input }])).flat(), ['accepted'])
}

const peaks = ({ deps }: TestShop) =>
  rows<{ box: string; peak: number }>(
    deps.db,
    sql`select box_id as box, peak from excursions where kind = 'warm' order by box_id`,
  )

/** `db` whose transactions do `then` once, after the first query with these words. */
function pausing(db: Db, words: string, then: () => Promise<void>): Db {
  let isDone = false
  const spy = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'execute') return value.bind(target)
        return async (query: object) => {
          const found: unknown = await value.call(target, query)
          const isIt = 'queryChunks' in query && JSON.stringify(query.queryChunks).includes(words)
          if (isIt && !isDone) await then()
          isDone ||= isIt
          return found
        }
      },
    })
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'transaction')
        return (work: (tx: Tx) => unknown) => target.transaction(async (tx) => work(spy(tx)))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('PostgreSQL: a reading that comes while a box is being followed is followed next', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopWith(['X-1'], { open: testPostgres })
  await read(shop, 'X-1', 0, 6)
  const db = pausing(shop.deps.db, 'join records r', () => read(shop, 'X-1', 6, 9))
  await watchBoxes({ ...shop.deps, db })
  await watchBoxes(shop.deps)
  assert.deepEqual(await peaks(shop), [{ box: 'X-1', peak: 9 }])
})

for (const [name, open] of testDatabases) {
  test(`${name}: a box with a damaged row harms the watch of no other`, async () => {
    await using shop = await shopWith(['X-1', 'X-2'], { open })
    for (const box of ['X-1', 'X-2']) for (const n of [0, 3, 6]) await read(shop, box, n, 8)
    await rows(shop.deps.db, sql`update records set body = '{' where box_id = 'X-1' and kind = 'tracking'`)
    const logged: unknown[] = []
    const log = { ...silent, error: (details: object) => void logged.push(details) }
    await watchBoxes({ ...shop.deps, log })
    assert.deepEqual(await peaks(shop), [{ box: 'X-2', peak: 8 }])
    assert.partialDeepStrictEqual(logged, [{ boxID: 'X-1' }])
  })
}

for (const [name, open] of testDatabases) {
  test(`${name}: what grew before the watch had a cursor is followed, and so is what an earlier version queued`, async () => {
    await using shop = await shopWith(['X-1', 'X-2'], { open, deps: { now: beforeSilence } })
    const { db } = shop.deps
    await watchBoxes(shop.deps)
    for (const box of ['X-1', 'X-2']) for (const n of [0, 3, 6]) await read(shop, box, n, 8)
    await rows(db, sql`delete from events`)
    await rows(db, sql`delete from event_consumers`)
    await rows(db, sql`insert into watch_queue (box_id) values ('X-2')`)
    await watchBoxes(shop.deps)
    assert.deepEqual(await peaks(shop), [
      { box: 'X-1', peak: 8 },
      { box: 'X-2', peak: 8 },
    ])
  })

  test(`${name}: a box whose event was lost without a trace is found in the night`, async () => {
    await using shop = await shopWith(['X-1'], { open, deps: { now: beforeSilence } })
    await watchBoxes(shop.deps)
    for (const n of [0, 3, 6]) await read(shop, 'X-1', n, 8)
    await rows(shop.deps.db, sql`update events set keys = '{}'`)
    await watchBoxes(shop.deps)
    assert.deepEqual(await peaks(shop), [])
    const logged: unknown[] = []
    const log = pino({}, { write: (line) => void logged.push(line) })
    await auditSampleJob({ ...shop.deps, log })({}, new AbortController().signal)
    assert.deepEqual(logged, [], 'it waits to be followed, whether or not it is among the sample')
    await watchBoxes(shop.deps)
    assert.deepEqual(await peaks(shop), [{ box: 'X-1', peak: 8 }])
  })
}

test('a webhook that never answers keeps no excursion waiting', async () => {
  const calls: unknown[] = []
  const hung = createServer((request) => void calls.push(request)).listen(0, '127.0.0.1')
  await once(hung, 'listening')
  await using shop = await shopWith(['X-1'], { env: { WEBHOOK_PRIVATE_HOSTS: 'localhost' } })
  const address = `http://localhost:${(hung.address() as AddressInfo).port}/`
  await shop.admin('POST', '/api/manage/excursion/target', { kind: 'webhook', address })
  for (const n of [0, 3, 6]) await read(shop, 'X-1', n, 8)
  await watchBoxes(shop.deps)
  const workers = Object.values(workersOf(shop.deps)).map((handlers) =>
    startWorker(shop.database, handlers, silent),
  )
  const stops = [...(await Promise.all(workers)), startWatch(shop.deps, 50)]
  while (calls.length === 0) await sleep(20)
  await read(shop, 'X-1', 9, 12)
  const until = performance.now() + 8_000
  while ((await peaks(shop))[0]?.peak !== 12 && performance.now() < until) await sleep(50)
  assert.equal(calls.length, 1)
  assert.deepEqual(await peaks(shop), [{ box: 'X-1', peak: 12 }])
  hung.closeAllConnections()
  hung.close()
  await Promise.all(stops.map((stop) => stop()))
})
