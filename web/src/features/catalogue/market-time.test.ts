import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketTime } from './market-time.ts'

test('market time is shown as date, then hours and minutes', () => {
  assert.equal(marketTime('2025-11-09 04:05:59'), '9 Nov 2025 04:05')
  assert.equal(marketTime('2025-01-31T23:59:00+11:00'), '31 Jan 2025 23:59')
})

test('text that is no time is shown as it came', () => {
  for (const text of ['', 'yesterday', '2025-13-01 00:00:00']) assert.equal(marketTime(text), text)
})
