import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownLabels } from './label-declutter.ts'

const size = { width: 50, height: 20 }
const pixel = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) })

test('all labels that have room are shown', () => {
  const points = [0, 60, 120].map((x) => ({ x, y: 0 }))
  assert.deepEqual([...shownLabels(points, size)], [0, 1, 2])
})

test('of many readings at one place one label is shown, the selected one if there is one', () => {
  const points = Array.from({ length: 30 }, () => ({ x: 10, y: 10 }))
  assert.deepEqual([...shownLabels(points, size)], [0])
  assert.deepEqual([...shownLabels(points, size, [17])], [17])
})

test('shown labels never overlap, and every hidden one would overlap a shown one', () => {
  fc.assert(
    fc.property(fc.array(pixel, { maxLength: 80 }), fc.nat(79), (points, first) => {
      const shown = shownLabels(points, size, [first])
      const meets = (i: number, j: number) => {
        const [a, b] = [points[i], points[j]]
        return a && b && Math.abs(a.x - b.x) < size.width && Math.abs(a.y - b.y) < size.height
      }
      for (const i of points.keys())
        assert.equal(
          [...shown].some((j) => j !== i && meets(i, j)),
          !shown.has(i),
        )
    }),
  )
})
