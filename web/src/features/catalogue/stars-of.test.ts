import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeftText, starsOfIndex } from './stars-of.ts'

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

test('days left are shown in whole days', () => {
  const textFor = (days: number) => daysLeftText({ daysLeft: { days, low: 0, high: 9 } })
  assert.equal(textFor(8.6), 'about 9 days left')
  assert.equal(textFor(1.2), 'about 1 day left')
  assert.equal(textFor(0.3), 'best today')
  assert.equal(daysLeftText({ daysLeft: null }), null)
})
