import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardMetrics, stockStep } from './catalogue-steps.ts'
import { pastItsBest, stars } from './freshness-word.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'

const figures = (freshnessIndex: number | null, bestBy = '2026-11-29T12:30:00.000Z') =>
  cardMetrics(
    {
      freshnessIndex,
      bestBy,
      wordFrom: { good: bestBy, useSoon: bestBy, over: bestBy },
      warm: null,
      coldChain: 'cold',
      stage: 'at market',
      catchPlace: 'Eden, New South Wales, Australia',
      catchTime: '2026-11-18 05:10:00',
      method: 'line',
      boat: 'Sea Star',
      trader: 'Ann Lee',
    },
    ZONE,
  )
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

test('best-by is a date in market time, and other metrics stay as they are', () => {
  assert.deepEqual(figures(0.2, '2026-11-29T13:30:00.000Z'), {
    freshnessIndex: 0.2,
    bestBy: '2026-11-30',
    wordFrom: { good: '2026-11-30', useSoon: '2026-11-30', over: '2026-11-30' },
    warm: null,
    coldChain: 'cold',
    stage: 'at market',
    catchPlace: 'Eden, New South Wales, Australia',
    catchTime: '2026-11-18 05:10:00',
    method: 'line',
    boat: 'Sea Star',
    trader: 'Ann Lee',
  })
  assert.equal(figures(0.2, '2026-11-29T12:30:00.000Z').bestBy, '2026-11-29')
  assert.equal(cardMetrics({ ...figures(0.2), bestBy: null }, ZONE).bestBy, null)
  const warm = { at: '2026-11-22T17:33:00.000Z', temperature: 18, unknownFrom: '2026-11-22T17:53:00.000Z' }
  assert.deepEqual(cardMetrics({ ...figures(0.2), warm }, ZONE).warm, { ...warm, at: '2026-11-23 04:33:00' })
})

test('a stock is known exactly below 20, and in steps of at most a tenth from 100 on', () => {
  for (const [stock, step] of [
    [0, 0],
    [1, 1],
    [19, 19],
    [20, 20],
    [29, 20],
    [99, 90],
    [100, 100],
    [109, 100],
    [1_000, 1_000],
    [1_099, 1_000],
    [1_000_000, 1_000_000],
  ] as const)
    assert.equal(stockStep(stock), step, String(stock))
  for (let stock = 0; stock < 20_000; stock++) {
    assert.ok(stockStep(stock) <= stock)
    if (stock >= 100) assert.ok(stock - stockStep(stock) < stock / 10, String(stock))
  }
})
