import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageRate } from './message-rate.ts'

test('after a burst messages are delayed, and a pause restores the burst', () => {
  let now = 0
  const wait = messageRate(10, 3, () => now)
  assert.deepEqual([wait(), wait(), wait(), wait(), wait()], [0, 0, 0, 100, 200])
  now = 200
  assert.equal(wait(), 100)
  now = 10_000
  assert.deepEqual([wait(), wait(), wait(), wait()], [0, 0, 0, 100])
})
