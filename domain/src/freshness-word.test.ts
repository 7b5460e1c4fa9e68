import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBetween } from './durations.ts'
import { freshnessWord } from './freshness-word.ts'

const TODAY = '2026-11-22'
const word = (freshnessIndex: number | null, bestBy: string | null, today = TODAY) =>
  freshnessWord({ freshnessIndex, bestBy }, today)

test('the word falls as the days go by', () => {
  const days = ['2026-11-22', '2026-11-27', '2026-11-28', '2026-11-30', '2026-12-01']
  assert.deepEqual(
    days.map((today) => word(0.2, '2026-11-30', today)),
    ['excellent', 'excellent', 'use soon', 'use soon', 'past its best'],
  )
})

test('the worse of the two figures counts', () => {
  assert.equal(word(1, '2026-12-20'), 'past its best')
  assert.equal(word(0, '2026-11-21'), 'past its best')
  assert.equal(word(0.9, '2026-12-20'), 'good')
  assert.equal(word(0.9, '2026-11-23'), 'use soon')
})

test('one figure is enough for a word, none gives none', () => {
  assert.equal(word(0.3, null), 'excellent')
  assert.equal(word(0.6, null), 'good')
  assert.equal(word(null, '2026-12-20'), 'excellent')
  assert.equal(word(null, null), null)
})

test('days between dates are whole over a change of the clock and a leap day', () => {
  assert.equal(daysBetween('2026-10-03', '2026-10-05'), 2)
  assert.equal(daysBetween('2028-02-28', '2028-03-01'), 2)
  assert.equal(daysBetween('2026-11-22', '2026-11-20'), -2)
})
