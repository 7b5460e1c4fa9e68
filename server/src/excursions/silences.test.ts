import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { watchBoxes } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const box = 'X-1'
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }

type Shown = { id: string; kind: string; since: string; endedAt: string | null; closedAt: string | null }

for (const [name, open] of testDatabases)
  test(`${name}: what a silent sensor sends late, in parts, moves its one silence and tells nobody again`, async () => {
    let now = START
    await using shop = await testShop({ open, deps: { now: () => new Date(now) } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await admin('POST', '/api/box/registration', { boxID: box, fisher })
    await admin('POST', '/api/manage/excursion/target', { kind: 'email', address: 'market@example.org' })
    /** A reading of each ten minutes, followed at the time that it is then. */
    const read = async (from: number, until: number): Promise<void> => {
      const inputs = Array.from({ length: (until - from) / 10 + 1 }, (_, i) => {
        const time = new Date(START + (from + i * 10) * MIN).toISOString()
        return { input: { box, iotID: 'L-1', time, latitude: -33.5, longitude: 150.5, temperature: 2 } }
      })
      assert.ok((await ingestReadings(shop.deps, inputs)).flat().every((one) => one === 'accepted'))
      await watchBoxes(shop.deps)
    }
    const shown = async (state = ''): Promise<Shown[]> =>
      (await admin('GET', `/api/excursion?page=1${state}`)).json().rows
    const minute = (at: string | null) => (at === null ? null : (Date.parse(at) - START) / MIN)
    const silences = async () =>
      (await shown())
        .filter(({ kind }) => kind === 'silent')
        .map(({ since, endedAt, closedAt }) => [minute(since), minute(endedAt), closedAt === null])
    const told = async () =>
      (
        await rows<{ event: string }>(
          shop.deps.db,
          sql`select event from notice_deliveries order by created_at, event`,
        )
      ).map(({ event }) => event)

    now = START + 20 * MIN
    await read(0, 20)
    now = START + 1_000 * MIN
    await watchBoxes(shop.deps)
    assert.deepEqual(await silences(), [[40, null, true]])
    for (const [from, until] of [
      [30, 190],
      [200, 400],
      [410, 590],
    ] as const) {
      await read(from, until)
      assert.deepEqual(await silences(), [[until + 20, null, true]])
    }
    assert.deepEqual([await told(), await shown('&state=withdrawn')], [['opened'], []])

    const [seen] = await shown()
    const closing = await admin('POST', `/api/excursion/${seen?.id}/closing`, { text: 'The battery' })
    assert.equal(closing.statusCode, 204)
    await read(600, 790) // what was judged is not moved to a silence that nobody has seen
    const all = await silences()
    assert.deepEqual(all, [[810, null, true]])
    assert.deepEqual((await told()).slice(-1), ['opened'])
    now = START + 1_006 * MIN
    await read(1_000, 1_000)
    assert.deepEqual(await silences(), [[810, 1_000, true]])
  })
