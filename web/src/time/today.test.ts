import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAway } from './today.ts'

test('a day is so far away, over months and changes of the clock', () => {
  for (const [date, text] of [
    ['2026-11-30', 'today'],
    ['2026-12-01', 'tomorrow'],
    ['2026-12-04', 'in 4 days'],
    ['2026-11-29', 'yesterday'],
    ['2026-10-01', '60 days ago'],
  ] as const)
    assert.equal(daysAway('2026-11-30', date), text)
})
