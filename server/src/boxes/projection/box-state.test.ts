import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Box } from '@befaqt/domain/box'
import { boxMetrics } from '@befaqt/domain/box-metrics'
import { boxOfRecords, recordsOfBox } from '@befaqt/domain/box-records'
import { assess, sensorResultOf } from '@befaqt/domain/freshness'
import type { StoredRecord } from '@befaqt/domain/rebuild-box'
import { anyBox } from '@befaqt/domain/testing/boxes'
import fc from 'fast-check'
import { readSiteFile } from '#server/site/site.ts'
import { type BoxState, stateOf } from './box-state.ts'
import { summaryOf } from './box-summary.ts'

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

/** The state says what the functions that define it make of the whole Box. */
async function assertSays(state: BoxState, box: Box): Promise<void> {
  assert.deepEqual(state.summary(), await summaryOf(box, market))
  assert.deepEqual(state.figures(), boxMetrics(box, market.timeZone))
  const readings = box.iotResult?.iotTracking ?? []
  assert.deepEqual(state.sensorResult(), sensorResultOf(readings, market.timeZone))
}

test('a projection, also after more readings, equals what the whole history computes to', async () => {
  const readings = anyBox.map(({ iotResult }) => iotResult?.iotTracking ?? [])
  await fc.assert(
    fc.asyncProperty(histories, readings, async (history, added) => {
      const state = await stateOf(history, market)
      await assertSays(state, said(history))
      const grown = [...history]
      for (const data of added) {
        state.addReadings([data])
        grown.push({ seq: grown.length + 1, kind: 'tracking', data })
        const assessed = state.assess(NOW)
        assert.deepEqual(assessed, assess(said(grown), NOW, market.timeZone))
        if (assessed === null) continue
        state.addFreshness(assessed)
        grown.push({ seq: grown.length + 1, kind: 'freshness', data: assessed })
        await assertSays(state, said(grown))
      }
    }),
    { numRuns: 60 },
  )
})
