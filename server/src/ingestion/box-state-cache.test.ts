import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { BoxState } from '#server/boxes/projection/box-state.ts'
import { summaryOf } from '#server/boxes/projection/box-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { BoxStateCache, type CachedState, newIngestionState } from './box-state-cache.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'

const market = { name: 'Market', timeZone: 'Australia/Sydney', latitude: -33, longitude: 151 }
const facts = { trader: 'T', catchProv: null, catchPlace: null, probes: [] }
const stateWith = (readings: number): BoxState => {
  const state = new BoxState({ ...facts, submittedScore: null, imageScore: null, noseScore: null }, market)
  const reading = { iotID: 'L-1', latitude: -33, longitude: 151, temperature: 2 }
  const time = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString()
  state.addReadings(Array.from({ length: readings }, (_, i) => ({ ...reading, time: time(i) })))
  return state
}
const boxOf = (head: string, readings = 2): CachedState => ({
  head,
  count: readings,
  alterations: 0,
  state: stateWith(readings),
})

test('a box is cached with its newest head until it is evicted', () => {
  const memory = new BoxStateCache()
  memory.set('A', boxOf('h1'))
  assert.equal(memory.get('A')?.head, 'h1')
  assert.equal(memory.get('B'), undefined)
  memory.set('A', boxOf('h2'))
  assert.equal(memory.get('A')?.head, 'h2')
  memory.delete('A')
  assert.equal(memory.get('A'), undefined)
})

test('the boxes written longest ago are evicted when the cache is full', () => {
  const memory = new BoxStateCache(3.5 * stateWith(1_000).bytes)
  for (const id of ['A', 'B', 'C']) memory.set(id, boxOf(id, 1_000))
  memory.set('A', boxOf('A', 1_001))
  const remembered = () => ['A', 'B', 'C', 'D', 'E'].filter((id) => memory.get(id) !== undefined)
  assert.deepEqual(remembered(), ['A', 'B', 'C'])
  memory.set('D', boxOf('D', 1_000))
  assert.deepEqual(remembered(), ['A', 'C', 'D'], 'B was written first')
  memory.set('E', boxOf('E', 10_000))
  assert.deepEqual(remembered(), [], 'one that fills it alone is not kept')
})

test('100,000 readings take less than 8 MB, so that one box does not evict all others', () => {
  const { bytes } = stateWith(100_000)
  assert.ok(bytes > 100_000 * 40 && bytes < 8e6, `${bytes}`)
})

test('concurrent loads of a box share one query, and the next one queries again', async () => {
  const memory = new BoxStateCache()
  const loading = Promise.withResolvers<void>()
  let loads = 0
  const load = (): Promise<void> => {
    loads++
    return loading.promise
  }
  const all = [1, 2, 3].map(() => memory.loadOnce('A', load))
  loading.resolve()
  await Promise.all(all)
  assert.equal(loads, 1)
  await assert.rejects(
    memory.loadOnce('A', () => Promise.reject(new Error('no database'))),
    /no database/,
  )
  await memory.loadOnce('A', load)
  assert.equal(loads, 2)
})

for (const [name, open] of testDatabases)
  test(`${name}: after another process wrote, only new records are read; after a correction, all`, async () => {
    await using shop = await shopWithBoxes([], { open })
    const { deps } = shop
    const { market } = deps.siteFile
    const box = sampleBox()
    const other = { ...deps, ingestion: newIngestionState() }
    await shop.admin('POST', '/api/box', box)
    const known = (): BoxState | undefined => deps.ingestion.memory.get(box.boxID)?.state
    const store = async (by: StoringDeps, i: number): Promise<void> => {
      const readings = [
        readingAt(i, { box: box.boxID, temperature: i }),
        readingAt(i + 1, { box: box.boxID }),
      ]
      assert.deepEqual(await storeReadings(by, readings), ['accepted', 'accepted'])
      const { box: whole, row } = await readWholeBox(deps.db, box.boxID, market)
      assert.deepEqual(row.summary, (await summaryOf(whole, market)).summary)
      await historyOf(deps.db, box.boxID)
    }
    await store(deps, 0)
    const first = known()
    await store(other, 2)
    await store(other, 4)
    await store(deps, 6)
    assert.ok(first !== undefined && known() === first, 'what is known was added to')
    const data = { ...box.iotResult?.iotTracking[0], temperature: 20 }
    const correction = { seq: 3, reason: 'Misread', data }
    assert.equal((await shop.admin('POST', `/api/box/${box.boxID}/correction`, correction)).statusCode, 201)
    await store(deps, 8)
    assert.notEqual(known(), first, 'it was made anew')
    const failing = { ...deps, now: () => new Date(Number.NaN) }
    const [refused] = await storeReadings(failing, [readingAt(20, { box: box.boxID })])
    assert.notEqual(refused, 'accepted')
    assert.equal(known(), undefined, 'what was not written is not known')
    await store(deps, 10)
  })

test('a damaged box in a batch does not evict the state of the others', async () => {
  await using shop = await shopWithBoxes()
  const { deps } = shop
  const readings = (i: number) => [readingAt(i), readingAt(i, { box: 'BOX-2' })]
  assert.deepEqual(await storeReadings(deps, readings(0)), ['accepted', 'accepted'])
  const known = deps.ingestion.memory.get('BOX-1')?.state
  await deps.db.update(boxes).set({ head: 'no hash' }).where(eq(boxes.id, 'BOX-2'))
  const [stored] = await storeReadings(deps, readings(1))
  assert.equal(stored, 'accepted')
  assert.ok(known !== undefined && deps.ingestion.memory.get('BOX-1')?.state === known)
  await historyOf(deps.db, 'BOX-1')
})
