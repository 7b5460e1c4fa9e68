import assert from 'node:assert/strict'
import { test } from 'node:test'
import { economicZone, landedAt } from './coastline.ts'

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

test('a zone is named where it is surely Australia’s: not on land, far out, nor where it meets those of others', () => {
  const at = (latitude: number, longitude: number) => economicZone({ latitude, longitude })
  assert.deepEqual([at(-33.9, 152.2), at(-32, 115), at(-43.5, 148.5)], ['AUS', 'AUS', 'AUS'])
  assert.deepEqual(
    [at(-33.2, 151.2), at(-33.9, 156.5), at(-10.5, 142.5), at(-41, 174), at(0, 0)],
    [null, null, null, null, null],
  )
})
