import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { roundTicks } from './round-ticks.ts'

test('ticks are round and reach around what is shown', () => {
  assert.deepEqual(roundTicks(0, 8, 6), [0, 2, 4, 6, 8])
  assert.deepEqual(roundTicks(-1.4, 8, 6), [-2, 0, 2, 4, 6, 8])
  assert.deepEqual(roundTicks(0, 31, 6), [0, 10, 20, 30, 40])
})

test('there are few of them, however far the values lie apart', () => {
  const degrees = fc.integer({ min: -20_000, max: 20_000 }).map((hundredths) => hundredths / 100)
  fc.assert(
    fc.property(degrees, degrees, (a, b) => {
      const [low, high] = [Math.min(0, a, b), Math.max(8, a, b)]
      const ticks = roundTicks(low, high, 6)
      assert.ok(ticks.length >= 3 && ticks.length <= 9, String(ticks))
      assert.ok((ticks[0] ?? 0) <= low && (ticks.at(-1) ?? 0) >= high)
      assert.ok(ticks.includes(0))
    }),
  )
})
