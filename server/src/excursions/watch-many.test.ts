import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { startWorkerProcess } from '#server/testing/worker-process.ts'
import { watchBoxes, watchConsumer } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }

/** Takes a reading of each of these boxes. */
async function read({ deps }: TestShop, boxIDs: readonly string[], minute: number, temperature: number) {
  const time = new Date(START + minute * MIN).toISOString()
  const inputs = boxIDs.map((box) => ({
    input: { box, iotID: 'L-1', time, latitude: -33.5, longitude: 150.5, temperature },
  }))
  const outcomes = (await ingestReadings(deps, inputs)).flat()
  assert.ok(outcomes.every((one) => one === 'accepted'))
}

const shopAt = async (minute: number) => {
  const database = await testPostgres()
  const shop = await testShop({
    open: async () => database,
    deps: { now: () => new Date(START + minute * MIN) },
  })
  return { ...shop, url: database.url, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const warm = (db: Db) =>
  rows<{ box: string; peak: number }>(
    db,
    sql`select box_id as box, peak from excursions where kind = 'warm' order by box_id`,
  )

test('PostgreSQL: a box with more readings than 700 others is followed as they are', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopAt(80)
  const { deps } = shop
  await shop.admin('POST', '/api/box/registration', { boxID: 'BUSY', fisher })
  await rows(
    deps.db,
    sql`insert into boxes (id, count, head) select 'IDLE-' || n, 1, repeat('0', 64) from generate_series(1, 700) n`,
  )
  for (let run = 0; run < 8; run++) {
    await rows(
      deps.db,
      sql`with grown as (update boxes set count = count + 1, updated_at = now() where id like 'IDLE-%' returning id)
          insert into events (kind, keys) select 'box.grown', array_agg(id) from grown`,
    )
    for (const half of [0, 5]) await read(shop, ['BUSY'], run * 10 + half, 9)
    await watchBoxes(deps)
  }
  assert.deepEqual(await warm(deps.db), [{ box: 'BUSY', peak: 9 }])
  assert.deepEqual(await rows(deps.db, sql`select from watch_queue`), [])
})

test('PostgreSQL: a box keeps its place in the queue when it grows again', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopAt(80)
  for (const boxID of ['A', 'B']) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  await watchBoxes(shop.deps)
  for (const [minute, box] of [
    [0, 'B'],
    [1, 'A'],
    [2, 'B'],
  ] as const)
    await read(shop, [box], minute, 9)
  await consume(shop.deps.db, watchConsumer, shop.deps.log)
  const queue = await rows(shop.deps.db, sql`select box_id as box from watch_queue order by due_at, id`)
  assert.deepEqual(queue, [{ box: 'B' }, { box: 'A' }])
})

test('PostgreSQL: two worker processes, one of them killed, follow all boxes, each once', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopAt(100)
  const { db } = shop.deps
  const ids = Array.from({ length: 250 }, (_, i) => `BOX-${String(i).padStart(3, '0')}`)
  await rows(
    db,
    sql`insert into boxes (id, head) select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb), repeat('0', 64)`,
  )
  const grow = (minute: number) =>
    rows(
      db,
      sql`with added as (
            insert into records (box_id, seq, kind, body, record_hash)
            select id, count + 1, 'tracking', json_build_object('kind', 'tracking', 'data', json_build_object('iotID', 'L-1',
              'latitude', -33.5, 'longitude', 150.5, 'temperature', 8, 'time',
              ${new Date(START + minute * MIN).toISOString()}::text))::text, repeat('0', 64)
            from boxes returning box_id),
          told as (insert into events (kind, keys) select 'box.grown', array_agg(box_id) from added)
          update boxes set count = count + 1 where id in (select box_id from added)`,
    )
  const settings = { DATABASE_URL: shop.url, ANCHOR_INTERVAL_S: '3600' }
  await using first = await startWorkerProcess(settings)
  {
    await using _second = await startWorkerProcess({ ...settings, DATA_DIR: first.dataDir })
    for (const minute of [0, 20, 40]) await grow(minute)
    while ((await warm(db)).length === 0) await sleep(20)
  } // it is killed here
  await grow(50)
  while ((await rows(db, sql`select from box_watches where seq = 4`)).length < ids.length) await sleep(50)
  assert.deepEqual(
    await warm(db),
    ids.map((box) => ({ box, peak: 8 })),
  )
  await first.stop()
})

test('PostgreSQL: no statement of the watch walks through all boxes', { skip: withoutPostgres }, async () => {
  await using shop = await shopAt(80)
  const { deps } = shop
  await watchBoxes(deps) // its cursor begins with a look at all of them
  await rows(
    deps.db,
    sql`insert into boxes (id, count, head, stage, silent_after)
        select 'IDLE-' || n, 1, repeat('0', 64), 'at sea', now() + interval '1 day' from generate_series(1, 20000) n`,
  )
  await shop.admin('POST', '/api/box/registration', { boxID: 'X-1', fisher })
  await rows(deps.db, sql`analyze`)
  const plans: string[] = []
  const db = explaining(deps.db, plans)
  await read(shop, ['X-1'], 0, 9)
  await read(shop, ['X-1'], 40, 9)
  await watchBoxes({ ...deps, db })
  assert.deepEqual((await warm(deps.db)).length, 1)
  assert.ok(plans.length >= 5, String(plans.length))
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on boxes/)
})

/** `db` that adds the plan of each statement about boxes to `plans`, before it runs. */
function explaining(db: Db, plans: string[]): Db {
  const explained = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name)
        if (typeof value !== 'function') return value
        if (name === 'transaction')
          return (work: (tx: object) => unknown) => value.call(of, (tx: object) => work(explained(tx)))
        if (name !== 'execute') return value.bind(of)
        return async (query: SQL) => {
          const plan = await rows<{ 'QUERY PLAN': string }>(db, sql`explain ${query}`).catch(() => [])
          if (plan.length > 0) plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'))
          return value.call(of, query)
        }
      },
    })
  return explained(db)
}
