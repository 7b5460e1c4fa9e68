import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crossings, ticks } from './crossings.ts'

const readings = [2, 3, 7, 9, 7, 1].map((temperature, i) => ({ at: i * 10, temperature }))

test('the stretch is shaded from where the line crosses the limit to where it crosses it again', () => {
  assert.deepEqual(crossings(readings, { since: 20, until: 50, limit: 5 }), [15, 43 + 1 / 3])
  assert.deepEqual(crossings(readings, { since: 20, until: Infinity, limit: 5 }), [15, Infinity])
  assert.deepEqual(crossings(readings.slice(2), { since: 20, until: 50, limit: 5 }), [20, 43 + 1 / 3])
  assert.deepEqual(crossings([], { since: 20, until: 50, limit: 5 }), [20, 50])
})

test('the axis has a few whole degrees', () => {
  assert.deepEqual(ticks(-0.5, 4.2), [0, 1, 2, 3, 4])
  assert.deepEqual(ticks(-3, 19.5), [0, 5, 10, 15])
})
