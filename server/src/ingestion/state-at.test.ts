import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import type { BoxState } from '#server/boxes/projection/box-state.ts'
import { summaryOf } from '#server/boxes/projection/box-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { readSiteFile } from '#server/site/site.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { newIngestionState } from './ingestion-state.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'

const { market } = await readSiteFile()

for (const [name, open] of testDatabases)
  test(`${name}: after another process wrote, only new records are read; after a correction, all`, async () => {
    await using shop = await shopWithBoxes([], { open })
    const { deps } = shop
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
