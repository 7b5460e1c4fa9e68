import assert from 'node:assert/strict'
import { test } from 'node:test'
import { starsOf, starsOfIndex } from './stars-of.ts'

test('stars are floor(6 - 2 × index), at most 5, and none at 1 and above', () => {
  for (const [index, stars] of [
    [0, 5],
    [0.5, 5],
    [0.51, 4],
    [0.99, 4],
    [1, null],
    [1.7, null],
    [null, null],
  ] as const)
    assert.equal(starsOfIndex(index), stars, String(index))
})

test('stars go when the best-by day is over, whatever the index says', () => {
  const box = { boxID: 'B', freshnessIndex: 0.2, catchPlace: null, catchTime: null, coldChain: null }
  const one = { box: { ...box, bestBy: '2026-11-30', stage: 'at market' as const } }
  assert.deepEqual(
    ['2026-11-29', '2026-11-30', '2026-12-01'].map((today) => starsOf(one, today)),
    [5, 5, null],
  )
  assert.equal(starsOf({ box: null }, '2026-11-29'), null)
})
