import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evenly, shownLabels, townPlaces } from './declutter.ts'

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

test('a few of many are taken in even steps, with the first and the last', () => {
  assert.deepEqual(evenly(3, 5), [0, 1, 2])
  assert.deepEqual(evenly(0, 5), [])
  assert.deepEqual(evenly(9, 5), [0, 2, 4, 6, 8])
  const many = evenly(10_000, 300)
  assert.equal(many.length, 300)
  assert.deepEqual([many[0], many.at(-1)], [0, 9_999])
  assert.equal(new Set(many).size, 300)
})

const port = (name: string, x: number, y: number) => ({ name, x, y })

test('a name stands left of its port, farther left where the track is', () => {
  assert.deepEqual(townPlaces([port('Sydney', 200, 100)], [], 8), [10])
  assert.deepEqual(townPlaces([port('Sydney', 200, 100)], [{ x: 190, y: 100 }], 8), [34])
})

test('of names that would cover one another the first stays', () => {
  const crowd = ['Sydney', 'Manly', 'Newcastle'].map((name, i) => port(name, 200, 100 + i * 3))
  const [first, ...others] = townPlaces(crowd, [], 8)
  assert.equal(first, 10)
  assert.deepEqual(others, [null, null])
})

test('no name is written over the track', () => {
  const pixel = fc.record({ x: fc.integer({ min: 0, max: 400 }), y: fc.integer({ min: 0, max: 400 }) })
  fc.assert(
    fc.property(fc.array(pixel, { maxLength: 15 }), fc.array(pixel, { maxLength: 60 }), (ports, track) => {
      const towns = ports.map(({ x, y }, i) => port(`Port ${i}`, x, y))
      for (const [i, away] of townPlaces(towns, track, 8).entries()) {
        const town = towns[i]
        if (away === null || !town) continue
        for (const { x, y } of track)
          assert.ok(
            x > town.x - away || x < town.x - away - town.name.length * 7 || Math.abs(y - town.y) > 10,
            town.name,
          )
      }
    }),
  )
})
