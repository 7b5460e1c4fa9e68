import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evenly } from './evenly.ts'

test('a few of many are taken in even steps, with the first and the last', () => {
  assert.deepEqual(evenly(3, 5), [0, 1, 2])
  assert.deepEqual(evenly(0, 5), [])
  assert.deepEqual(evenly(9, 5), [0, 2, 4, 6, 8])
  const many = evenly(10_000, 300)
  assert.equal(many.length, 300)
  assert.deepEqual([many[0], many.at(-1)], [0, 9_999])
  assert.equal(new Set(many).size, 300)
})
