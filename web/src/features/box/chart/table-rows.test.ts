import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rowWindow, tableRows, WHOLE } from './table-rows.ts'

test('every reading stands once, in order, after the one row of its day', () => {
  const days = ['2026-11-17', '2026-11-17', '2026-11-18', '2026-11-20'].map((date) => ({ date }))
  assert.deepEqual(
    tableRows(days).map(({ day, index }) => index ?? day),
    ['2026-11-17', 0, 1, '2026-11-18', 2, '2026-11-20', 3],
  )
  assert.deepEqual(tableRows([]), [])
})

test('what is in sight is there, and never more than a few rows of a long table', () => {
  assert.deepEqual(rowWindow(WHOLE, 100), [0, WHOLE])
  fc.assert(
    fc.property(fc.integer({ min: WHOLE + 1, max: 100_000 }), fc.nat(100_000), (count, anywhere) => {
      const top = Math.min(anywhere, count - 1)
      const [from, to] = rowWindow(count, top)
      assert.ok(from <= top && to >= Math.min(count, top + 20), `${from} to ${to} at ${top} of ${count}`)
      assert.equal(to - from, 60)
    }),
  )
})
