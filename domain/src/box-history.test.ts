import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingRecall } from './box-history.ts'

const recall = (reason: string, more: object = {}) => ({
  kind: 'recall',
  at: '2026-11-20',
  data: { reason, ...more },
})
const other = { kind: 'tracking', at: '2026-11-21', data: {} }

test('the last recall stands unless it was withdrawn', () => {
  const standing = { reason: 'Warm', at: '2026-11-20' }
  assert.equal(standingRecall([]), null)
  assert.equal(standingRecall([other]), null)
  assert.deepEqual(standingRecall([recall('Warm'), other]), standing)
  assert.equal(standingRecall([recall('Warm'), recall('Read wrongly', { withdrawn: true })]), null)
  assert.deepEqual(standingRecall([recall('A', { withdrawn: true }), recall('Warm')]), standing)
})
