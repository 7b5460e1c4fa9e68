import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardMetrics } from './card-metrics.ts'
import { pastItsBest, stars } from './stars.ts'

const figures = (freshnessIndex: number | null, days = 4.4) =>
  cardMetrics({
    freshnessIndex,
    daysLeft: { days, low: days - 1, high: days + 1 },
    catchPlace: 'Eden, New South Wales, Australia',
    catchTime: '2026-11-18 05:10:00',
  })
const step = (index: number): number => figures(index).freshnessIndex ?? Number.NaN

test('the index is rounded up to the next tenth, and stays below 1 until it is 1', () => {
  assert.deepEqual([0, 0.000001, 0.1, 0.3, 0.300001, 0.7, 0.5].map(step), [0, 0.1, 0.1, 0.3, 0.4, 0.7, 0.5])
  assert.deepEqual([0.95, 0.999999, 1].map(step), [0.99, 0.99, 1])
  assert.equal(figures(null).freshnessIndex, null)
})

test('the rounded index has the same stars, and keeps the order of two boxes', () => {
  const index = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6)
  fc.assert(
    fc.property(index, index, (a, b) => {
      assert.equal(stars(step(a)), stars(a))
      assert.equal(pastItsBest(step(a)), pastItsBest(a))
      assert.ok(a > b || step(a) <= step(b))
    }),
  )
})

test('days are whole, as they are shown, and other metrics stay as they are', () => {
  assert.deepEqual(figures(0.2, 4.6), {
    freshnessIndex: 0.2,
    daysLeft: { days: 5, low: 4, high: 6 },
    catchPlace: 'Eden, New South Wales, Australia',
    catchTime: '2026-11-18 05:10:00',
  })
  assert.equal(cardMetrics({ ...figures(0.2), daysLeft: null }).daysLeft, null)
})
