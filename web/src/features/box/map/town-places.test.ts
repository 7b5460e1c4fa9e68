import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { townPlaces } from './town-places.ts'

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
