import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toPixel, toPlace } from './mercator.ts'

test('the meridian of Greenwich at the equator is the middle of the world', () => {
  assert.deepEqual(toPixel({ latitude: 0, longitude: 0 }, 0), { x: 128, y: 128 })
})

test('Sydney lies in tile 235/153 at zoom 8', () => {
  const { x, y } = toPixel({ latitude: -33.8688, longitude: 151.2093 }, 8)
  assert.deepEqual([Math.floor(x / 256), Math.floor(y / 256)], [235, 153])
})

test('a pixel leads back to its place', () => {
  const latitude = fc.double({ min: -85, max: 85, noNaN: true })
  const longitude = fc.double({ min: -180, max: 180, noNaN: true })
  fc.assert(
    fc.property(fc.record({ latitude, longitude }), fc.integer({ min: 0, max: 18 }), (place, zoom) => {
      const back = toPlace(toPixel(place, zoom), zoom)
      assert.ok(Math.abs(back.latitude - place.latitude) < 1e-6)
      assert.ok(Math.abs(back.longitude - place.longitude) < 1e-6)
    }),
  )
})
