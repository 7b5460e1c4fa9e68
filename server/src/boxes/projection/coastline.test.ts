import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landedAt } from './coastline.ts'

const SEA = [-33.9, 152.2]
const ROAD = [-33.2, 151.2]
const LOST = [0, 0]

/** Readings an hour apart. */
const box = (...places: readonly number[][]) => ({
  iotResult: {
    operator: '',
    iotScore: 0,
    confidence: 1,
    time: '',
    latitude: 0,
    longitude: 0,
    iotTracking: places.map(([latitude = 0, longitude = 0], hour) => ({
      time: new Date(Date.UTC(2026, 10, 20, hour)).toISOString(),
      latitude,
      longitude,
      iotID: 'L',
      temperature: 1,
      txHash: '',
    })),
  },
})
const hourOf = (...places: readonly number[][]): number | null => {
  const at = landedAt(box(...places) as Parameters<typeof landedAt>[0], 'Australia/Sydney')
  return at === null ? null : (Date.parse(at) - Date.UTC(2026, 10, 20)) / 3_600_000
}

test('a box lands with its first place ashore after the last at sea; lost places say nothing', () => {
  assert.equal(hourOf(SEA, SEA, ROAD, ROAD), 2)
  assert.equal(hourOf(ROAD, SEA, ROAD), 2)
  assert.equal(hourOf(SEA, LOST, ROAD), 2)
  assert.equal(hourOf(SEA, SEA, LOST), null)
  assert.equal(hourOf(ROAD, ROAD), null)
  assert.equal(hourOf(), null)
  assert.equal(landedAt({ iotResult: null }, 'Australia/Sydney'), null)
})

test('in a long way the landing is found between the places that are looked at', () => {
  for (const at of [1, 3, 599, 1_204, 2_398])
    assert.equal(hourOf(...Array(at).fill(SEA), ...Array(2_399 - at).fill(ROAD)), at)
})
