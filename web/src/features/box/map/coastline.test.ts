import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CoastlineFile, isWithin, type LngLat, readCoastline } from './coastline.ts'

const load = (name: string): CoastlineFile => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** Is the place on land? Counts the coasts to its west. */
function onLand(rings: LngLat[][], [x, y]: LngLat): boolean {
  const crossings = rings.flatMap((ring) =>
    ring.filter((a, i) => {
      const b = ring[(i + 1) % ring.length] ?? a
      return a[1] > y !== b[1] > y && x > a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])
    }),
  )
  return crossings.length % 2 === 1
}

/** A ring as files hold it: its first point, then steps, in hundredths of a degree. */
const inSteps = (ring: readonly LngLat[]): number[] => {
  const points = ring.map((point) => point.map((degrees) => Math.round(degrees * 100)))
  return points.flatMap((point, i) => point.map((here, axis) => here - (points[i - 1]?.[axis] ?? 0)))
}

test('an encoded ring decodes to within half a step', () => {
  const point = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -85, max: 85, noNaN: true }),
  )
  fc.assert(
    fc.property(
      fc.uniqueArray(point, { minLength: 1, selector: (p) => p.map((n) => Math.round(n * 100)).join() }),
      (ring) => {
        const file = {
          bounds: { west: 0, south: 0, east: 1, north: 1 },
          scale: 100,
          rings: [inSteps(ring)],
        }
        const [back] = readCoastline(file).rings
        assert.equal(back?.length, ring.length)
        ring.forEach(([x, y], i) => {
          assert.ok(Math.abs(x - (back?.[i]?.[0] ?? Number.NaN)) <= 0.005001)
          assert.ok(Math.abs(y - (back?.[i]?.[1] ?? Number.NaN)) <= 0.005001)
        })
      },
    ),
  )
})

test('the coastline of Australia puts towns on land and fishing grounds at sea', () => {
  const { rings } = readCoastline(load('./coastline-australia.json'))
  const land = {
    Parramatta: [151.0, -33.815],
    Orange: [149.1, -33.28],
    Hobart: [147.2, -42.8],
    Darwin: [131.2, -12.8],
  }
  const sea = {
    'off Sydney': [151.6, -34.0],
    'off Eden': [150.3, -37.1],
    'Tasman Sea': [160, -38],
    'the Bight': [131, -34],
  }
  for (const [name, [x = 0, y = 0]] of Object.entries(land)) assert.ok(onLand(rings, [x, y]), name)
  for (const [name, [x = 0, y = 0]] of Object.entries(sea)) assert.ok(!onLand(rings, [x, y]), name)
})

test('the coastline of the world has every continent that ships fish, and no coast across the map', () => {
  const { rings } = readCoastline(load('./coastline-world.json'))
  const land = [
    [10, 50],
    [100, 60],
    [20, 5],
    [-100, 45],
    [-60, -15],
    [134, -25],
    [105, 35],
    [172, -43],
  ]
  for (const [x = 0, y = 0] of land) assert.ok(onLand(rings, [x, y]), `${x} ${y}`)
  for (const [x = 0, y = 0] of [
    [-150, 0],
    [-30, 30],
    [80, -30],
    [180, -50],
  ])
    assert.ok(!onLand(rings, [x, y]), `${x} ${y}`)
})

test('a view is inside the coastline only when all of it is', () => {
  const region = { west: 110, south: -50, east: 180, north: 0 }
  assert.equal(isWithin({ west: 148, south: -36, east: 154, north: -32 }, region), true)
  assert.equal(isWithin({ west: 108, south: -36, east: 154, north: -32 }, region), false)
  assert.equal(isWithin({ west: 148, south: -36, east: 154, north: 1 }, region), false)
})
