import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText } from './day-text.ts'

test('a date is written as people say it', () => {
  assert.equal(dayText('2026-11-30'), 'Mon 30 Nov')
  assert.equal(dayText('2027-01-03'), 'Sun 3 Jan')
})
