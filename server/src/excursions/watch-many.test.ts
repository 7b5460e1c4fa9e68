import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { watchBoxes } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }

test('PostgreSQL: a box with more readings than 700 others is followed as they are', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await testShop({
    open: testPostgres,
    deps: { now: () => new Date(START + 80 * MIN) },
  })
  const { deps } = shop
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'BUSY', fisher })
  await rows(
    deps.db,
    sql`insert into boxes (id, count, head) select 'IDLE-' || n, 1, repeat('0', 64) from generate_series(1, 700) n`,
  )
  const grow = () =>
    rows(deps.db, sql`update boxes set count = count + 1, updated_at = now() where id like 'IDLE-%'`)
  for (let run = 0; run < 8; run++) {
    await grow()
    for (const half of [0, 5]) {
      const time = new Date(START + (run * 10 + half) * MIN).toISOString()
      const input = { box: 'BUSY', iotID: 'L-1', time, latitude: -33.5, longitude: 150.5, temperature: 9 }
      assert.deepEqual((await ingestReadings(deps, [{ input }])).flat(), ['accepted'])
    }
    await watchBoxes(deps)
  }
  assert.deepEqual(await rows(deps.db, sql`select box_id, peak from excursions where kind = 'warm'`), [
    { box_id: 'BUSY', peak: 9 },
  ])
})
