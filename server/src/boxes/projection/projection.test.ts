import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxMetrics } from '@befaqt/domain/box-metrics'
import { boxOfRecords } from '@befaqt/domain/box-records'
import { sensorResultOf } from '@befaqt/domain/freshness'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { readableRecord, readBox } from '#server/boxes/read-records.ts'
import { addRecords, appendRecords } from '#server/boxes/records/add-records.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'
import { newIngestionState } from '#server/ingestion/box-state-cache.ts'
import { storeReadings } from '#server/ingestion/store-readings.ts'
import type { Caller } from '#server/testing/caller.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { lockAllBoxes, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import type { TestShop } from '#server/testing/shop.ts'
import { summaryOf } from './box-summary.ts'
import { saveProjection } from './projection.ts'

type World = { shop: TestShop; admin: Caller; other: TestShop['deps']; boxID: string }

/** Whether the projection is to be there after it, or made by the next one who reads. */
type Change = { what: string; leaves: 'written' | 'missing'; make: (world: World) => Promise<unknown> }

const places = fc.array(fc.record({ step: fc.integer({ min: -9, max: 9 }), tenths: fc.nat(120) }), {
  minLength: 1,
  maxLength: 4,
})

/** Readings on their way and late ones, stored by one of two processes that know nothing of each other. */
const readings = fc.tuple(fc.nat(60), places, fc.boolean()).map(
  ([from, list, isOther]): Change => ({
    what: 'readings',
    leaves: 'written',
    make: ({ shop, other, boxID }) =>
      storeReadings(
        isOther ? other : shop.deps,
        list.map(({ step, tenths }, i) =>
          readingAt(from + i + step / 10, { box: boxID, temperature: tenths / 10 - 2 }),
        ),
      ),
  }),
)

const correction = fc.tuple(fc.nat(8), fc.nat(120)).map(
  ([seq, tenths]): Change => ({
    what: 'a correction',
    leaves: 'written',
    make: ({ admin, boxID }) => {
      const { box: _, ...reading } = readingAt(seq, { temperature: tenths / 10 })
      return admin('POST', `/api/box/${boxID}/correction`, { seq, reason: 'Misread', data: reading })
    },
  }),
)

/** The same writers, whose transaction is rolled back at its end. */
const rolledBack = fc.nat(60).map(
  (i): Change => ({
    what: 'a reading that is rolled back',
    leaves: 'written',
    make: async ({ shop: { deps }, boxID }) => {
      const { box: _, ...data } = readingAt(i, { temperature: 9 })
      const fact = { kind: 'tracking' as const, at: data.time, by: data.iotID, data, changesFreshness: true }
      const adding = changeCatalogue(deps, async (tx) => {
        await addRecords(tx, deps, boxID, [fact])
        throw new Error('rolled back')
      })
      await assert.rejects(adding, /rolled back|sealed/)
      const failing = { ...deps, now: () => new Date(Number.NaN) }
      await storeReadings(failing, [readingAt(i, { box: boxID })])
    },
  }),
)

const { txHash: _, ...caught } = { ...sampleBox().catchProv, species: 'Snapper' }

const single: Change[] = [
  {
    what: 'a catch',
    leaves: 'written',
    make: ({ admin, boxID }) => admin('POST', `/api/box/${boxID}/catch`, caught),
  },
  { what: 'a seal', leaves: 'written', make: ({ admin, boxID }) => admin('POST', `/api/box/${boxID}/seal`) },
  {
    what: 'a reading that an older version of the shop wrote',
    leaves: 'missing',
    make: ({ shop, boxID }) => {
      const { box: _, ...data } = readingAt(70, { temperature: 3 })
      const draft = { kind: 'tracking' as const, at: data.time, by: data.iotID, data }
      return shop.deps.db.transaction((tx) => appendRecords(tx, boxID, [draft])).catch(() => 'sealed')
    },
  },
  {
    what: 'a record that is changed in its place',
    leaves: 'missing',
    make: ({ shop, boxID }) =>
      rows(
        shop.deps.db,
        sql`update records set body = replace(body, 'temperature":', 'temperature":1')
            where box_id = ${boxID} and seq = (select max(seq) from records where box_id = ${boxID}) - 1`,
      ),
  },
  {
    what: 'a record that is withheld',
    leaves: 'missing',
    make: ({ shop, boxID }) =>
      rows(shop.deps.db, sql`update records set body = null where box_id = ${boxID} and seq = 2`),
  },
]

/** Seals end a history, so they come now and then. */
const changes = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: readings },
    { weight: 2, arbitrary: correction },
    { weight: 2, arbitrary: rolledBack },
    { weight: 3, arbitrary: fc.constantFrom(...single) },
  ),
  { minLength: 2, maxLength: 9 },
)

/** What the functions of the domain make of the rows, and what the box's own row says. */
async function bothOf({ shop: { deps }, boxID }: World) {
  const { market } = deps.siteFile
  const { box: row, rows } = await readBox(deps.db, boxID)
  const history = rows.flatMap((row) => readableRecord(row) ?? [])
  const box = boxOfRecords(boxID, history, market.timeZone, () => null)
  const sensor = sensorResultOf(box.iotResult?.iotTracking ?? [], market.timeZone)
  const { head, alterations } = row
  const { timeZone } = market
  const figures = boxMetrics(box, timeZone)
  const projection = { formulas: 5, timeZone, head, alterations, figures, sensor }
  const expected = { projection, summary: (await summaryOf(box, market)).summary }
  return { row, expected: JSON.parse(JSON.stringify(expected)) as typeof expected }
}

for (const [name, open] of testDatabases)
  test(`${name}: after any write the projection of a box equals what its rows compute to`, async () => {
    await using shop = await shopWithBoxes([], { open })
    const { admin } = shop
    const other = { ...shop.deps, ingestion: newIngestionState() }
    let boxes = 0
    const check = async (isImported: boolean, list: Change[]): Promise<void> => {
      const boxID = `BOX-${++boxes}`
      const world = { shop, admin, other, boxID }
      const made = isImported
        ? await admin('POST', '/api/box', { ...sampleBox(), boxID })
        : await admin('POST', '/api/box/registration', { boxID, fisher: sampleBox().fisher })
      assert.equal(made.statusCode, 201, made.body)
      let isUntouched = true
      for (const { what, leaves, make } of [
        { what: 'nothing', leaves: 'written', make: async () => {} },
        ...list,
      ]) {
        await make(world)
        isUntouched &&= leaves === 'written'
        const { row, expected } = await bothOf(world)
        if (leaves === 'written') {
          if (isUntouched) assert.deepEqual(row.summary, expected.summary, what)
        } else {
          await readWholeBox(shop.deps.db, boxID, shop.deps.siteFile.market)
        }
        assert.deepEqual((await bothOf(world)).row.projection, expected.projection, what)
      }
    }
    await fc.assert(fc.asyncProperty(fc.boolean(), changes, check), { numRuns: 25, endOnFailure: true })
  })

for (const [name, open] of testDatabases)
  test(`${name}: a projection made with other formulas or another zone, or an unreadable one, is computed anew`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open })
    const { deps, admin } = shop
    const boxID = 'BOX-1'
    await storeReadings(deps, [readingAt(0), readingAt(1, { box: 'BOX-2' })])
    const world = { shop, admin, other: deps, boxID }
    const { projection } = (await bothOf(world)).row
    const page = async (id: string): Promise<unknown> => (await admin('GET', `/api/box/${id}/page`)).json()
    const before = [await page(boxID), await page('BOX-2')]
    const figures = { ...projection?.figures, freshnessIndex: 0.9 }
    const wrong = [
      { formulas: 0 },
      { timeZone: 'Australia/Perth' },
      { head: 'f'.repeat(64) },
      { alterations: 1 },
      { figures: null },
    ]
    for (const changed of wrong) {
      const damaged = JSON.stringify({ ...projection, figures, ...changed })
      await rows(deps.db, sql`update boxes set projection = ${damaged}::jsonb where id = ${boxID}`)
      assert.deepEqual([await page(boxID), await page('BOX-2')], before, JSON.stringify(changed))
      assert.deepEqual((await bothOf(world)).row.projection, projection)
    }
    await rows(deps.db, sql`update boxes set projection = '"text"'::jsonb where id = ${boxID}`)
    assert.deepEqual(await storeReadings(deps, [readingAt(2)]), ['accepted'])
    const { row, expected } = await bothOf(world)
    assert.deepEqual(row.projection, expected.projection)
  })

test('reading a box without a projection waits for no writer and overwrites nothing newer', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopWithBoxes(['BOX-1'], { open: testPostgres })
  const { db, siteFile } = shop.deps
  const read = () => readWholeBox(db, 'BOX-1', siteFile.market)
  const stored = async () => (await readBox(db, 'BOX-1')).box.projection
  await rows(db, sql`update boxes set projection = null`)
  const unlock = await lockAllBoxes(db)
  await read()
  assert.equal(await stored(), null)
  await unlock()
  const { box } = await readBox(db, 'BOX-1')
  await rows(db, sql`update boxes set stage = 'at sea'`)
  const { figures } = await read()
  const old = { formulas: 5, timeZone: '', head: 'of before', alterations: 0, figures, sensor: null }
  await saveProjection(db, box, old)
  assert.equal((await stored())?.head, box.head, 'made by the reader, not of the row as it was')
})
