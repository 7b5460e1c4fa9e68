import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assess } from '@befaqt/domain/assessment'
import type { Box } from '@befaqt/domain/box'
import { boxOfRecords, type StoredRecord } from '@befaqt/domain/box-of-records'
import { recordsOfBox } from '@befaqt/domain/box-records'
import { anyBox, sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { summaryOf } from '#server/boxes/summary/write-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { readSiteFile } from '#server/site/site.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import type { BoxState } from './box-state.ts'
import { newIngestionState } from './ingestion-state.ts'
import { stateOf } from './load-state.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'

const { market } = await readSiteFile()
const NOW = '2026-11-20 11:00:00'

const said = (history: readonly StoredRecord[]): Box =>
  boxOfRecords('B', history, market.timeZone, () => null)

/** A box's records, other boxes' readings between them, and corrections of some. */
const histories = fc
  .tuple(anyBox, fc.array(anyBox, { maxLength: 3 }), fc.array(fc.nat(60), { maxLength: 6 }))
  .map(([box, others, corrected]) => {
    const submission = { at: NOW, by: 'T-1' }
    const facts = [box, ...others].flatMap((one, i) =>
      recordsOfBox(one, submission).filter(({ kind }) => i === 0 || kind !== 'registration'),
    )
    const history: StoredRecord[] = facts.map(({ kind, data }, i) => ({ seq: i + 1, kind, data }))
    for (const place of corrected) {
      const [first, second] = [history[place % history.length], history[(place * 7) % history.length]]
      if (first === undefined || second === undefined) continue
      const data = { corrects: first.seq, reason: 'Misread', data: second.data }
      history.push({ seq: history.length + 1, kind: 'correction', data })
    }
    return history
  })

test('what is known of any history, and of it with more readings, is what the whole history says', async () => {
  const readings = anyBox.map(({ iotResult }) => iotResult?.iotTracking ?? [])
  await fc.assert(
    fc.asyncProperty(histories, readings, async (history, added) => {
      const state = await stateOf(history, market)
      assert.deepEqual(state.summary(), await summaryOf(said(history), market))
      const grown = [...history]
      for (const data of added) {
        state.addReadings([data])
        grown.push({ seq: grown.length + 1, kind: 'tracking', data })
        const assessed = state.assess(NOW)
        assert.deepEqual(assessed, assess(said(grown), NOW, market.timeZone))
        if (assessed === null) continue
        state.addFreshness(assessed)
        grown.push({ seq: grown.length + 1, kind: 'freshness', data: assessed })
        assert.deepEqual(state.summary(), await summaryOf(said(grown), market))
      }
    }),
    { numRuns: 60 },
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: of a box that another process wrote to only what is new is read, after a correction all`, async () => {
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
      const { box: whole, row } = await readWholeBox(deps.db, box.boxID, market.timeZone)
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

test('a damaged box that comes with others costs nothing that is known of them', async () => {
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
