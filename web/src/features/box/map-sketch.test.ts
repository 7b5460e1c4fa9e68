import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CoastlineFile, readCoastline } from './coastline.ts'
import { boundsOf, drawSketch, MAP_ZOOM, sketchSize, viewOf } from './map-sketch.ts'

const file: CoastlineFile = JSON.parse(
  readFileSync(new URL('./coastline-australia.json', import.meta.url), 'utf8'),
)
const coast = readCoastline(file)
const place = fc.record({
  latitude: fc.double({ min: -44, max: -10, noNaN: true }),
  longitude: fc.double({ min: 140, max: 160, noNaN: true }),
})
const sydney = { latitude: -33.87, longitude: 151.2 }

test('without points there is no view', () => {
  assert.equal(viewOf([]), null)
})

test('a short track is shown at the zoom of the map, a long one from farther away', () => {
  assert.equal(viewOf([sydney])?.zoom, MAP_ZOOM)
  const eden = { latitude: -37.06, longitude: 149.9 }
  const zoom = viewOf([sydney, eden])?.zoom ?? 0
  assert.ok(zoom < MAP_ZOOM && zoom > MAP_ZOOM - 2, String(zoom))
})

test('every point of a track lies in the part of the window that a phone shows', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 12 }), (track) => {
      const view = viewOf(track)
      assert.ok(view)
      for (const { x, y } of drawSketch(view, track, { ...coast, rings: [] }).points) {
        assert.ok(Math.abs(x - sketchSize.width / 2) <= 141, `x ${x}`)
        assert.ok(y > 0 && y < sketchSize.height, `y ${y}`)
      }
    }),
  )
})

test('land is drawn for the window only and stays small enough to be sent with the page', () => {
  const track = [sydney, { latitude: -32.9, longitude: 151.8 }]
  const view = viewOf(track)
  assert.ok(view)
  const { land } = drawSketch(view, track, coast)
  assert.match(land, /^(M[-\d. L]+Z)+$/)
  assert.ok(land.length > 500 && land.length < 8000, `${land.length} characters`)
  const { west, east } = boundsOf(view)
  assert.ok(west > 145 && east < 158)
})
