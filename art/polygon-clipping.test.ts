import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LngLat } from '../web/src/features/box/map/coastline.ts'
import { clipRing, distanceToSegment, simplify } from './polygon-clipping.ts'

const unit = { west: 0, south: 0, east: 1, north: 1 }
const coordinate = fc.double({ min: -5, max: 5, noNaN: true })
const line = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 40 })

test('a ring larger than the rectangle is cut to the rectangle', () => {
  const ring: LngLat[] = [
    [-2, -2],
    [-2, 3],
    [3, 3],
    [3, -2],
  ]
  const corners = clipRing(ring, unit).map(String).sort()
  assert.deepEqual(corners, ['0,0', '0,1', '1,0', '1,1'])
})

test('a ring beside the rectangle is cut away, one inside is kept', () => {
  assert.deepEqual(
    clipRing(
      [
        [2, 0],
        [3, 0],
        [3, 1],
      ],
      unit,
    ),
    [],
  )
  const inside: LngLat[] = [
    [0.2, 0.2],
    [0.4, 0.2],
    [0.4, 0.4],
  ]
  assert.deepEqual(clipRing(inside, unit), inside)
})

test('nothing of a cut ring lies outside', () => {
  fc.assert(
    fc.property(line, (ring) => {
      for (const [x, y] of clipRing(ring, unit))
        assert.ok(x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9, `${x} ${y}`)
    }),
  )
})

test('a simplified line keeps its ends and stays within the tolerance of what it left out', () => {
  fc.assert(
    fc.property(line, (points) => {
      const kept = simplify(points, () => 0.5)
      assert.equal(kept[0], points[0])
      assert.equal(kept.at(-1), points.at(-1))
      for (const p of points) {
        const nearest = kept.slice(1).map((b, i) => distanceToSegment(p, kept[i] ?? b, b))
        assert.ok(Math.min(...nearest) <= 0.5 + 1e-9)
      }
    }),
  )
})
