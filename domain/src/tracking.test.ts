import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kilometres } from './place.ts'
import {
  bandSpans,
  celsius,
  mapPoints,
  meanPlace,
  roundedTemperature,
  shownPositions,
  temperatureBand,
  temperatureText,
} from './tracking.ts'

const place = (latitude: number, longitude: number) => ({ latitude, longitude })

test('longitude 0 repeats the last non-zero position in the table; before the first there is none', () => {
  const shown = shownPositions([place(0, 0), place(-34, 151), place(0, 0), place(-33, 0), place(-32, 152)])
  assert.deepEqual(shown, [
    { ...place(0, 0), reused: false },
    { ...place(-34, 151), reused: false },
    { ...place(-34, 151), reused: true },
    { ...place(-34, 151), reused: true },
    { ...place(-32, 152), reused: false },
  ])
  const halfLost = shownPositions([place(-34, 151), place(0, 150), place(0, 0)])
  assert.deepEqual(halfLost.at(-1), { ...place(-34, 151), reused: true })
})

test('points with zero latitude are skipped on the map, and the mean is that of the others', () => {
  const points = mapPoints([place(0, 0), place(-34, 151), place(-32, 153)])
  assert.deepEqual(points, [place(-34, 151), place(-32, 153)])
  assert.deepEqual(meanPlace(points), place(-33, 152))
  assert.equal(meanPlace([]), null)
})

test('temperature bands change just above 3 and just above 6', () => {
  const table = [
    [-20, 'blue', 'cold'],
    [3, 'blue', 'cold'],
    [3.01, 'amber', 'cool'],
    [6, 'amber', 'cool'],
    [6.01, 'red', 'warm'],
  ] as const
  for (const [degrees, colour, word] of table) assert.deepEqual(temperatureBand(degrees), { colour, word })
})

test('the label of a band names its limits', () => {
  const ends = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)
  const [cold = Number.NaN] = ends(bandSpans.cold)
  const [above, cool = Number.NaN] = ends(bandSpans.cool)
  assert.deepEqual([above, ends(bandSpans.warm)], [cold, [cool]])
  const words = [cold, cold + 0.01, cool, cool + 0.01].map((degrees) => temperatureBand(degrees).word)
  assert.deepEqual(words, ['cold', 'cool', 'cool', 'warm'])
  assert.equal(celsius(-1.5), '−1.5 °C')
})

test('temperatures are rounded to two decimals, half away from zero', () => {
  const table = [
    [1.005, 1.01, '1.01'],
    [2.344999, 2.34, '2.34'],
    [-0.125, -0.13, '-0.13'],
    [7, 7, '7.00'],
  ] as const
  for (const [celsius, number, text] of table) {
    assert.equal(roundedTemperature(celsius), number)
    assert.equal(temperatureText(celsius), text)
  }
  assert.equal(temperatureText(-0.001), '0.00')
})

test('distance on the sphere: Sydney to Coffs Harbour is about 436 km, a place to itself 0', () => {
  const sydney = place(-33.8688, 151.2093)
  assert.ok(Math.abs(kilometres(sydney, place(-30.2963, 153.1135)) - 436) < 8)
  assert.equal(kilometres(sydney, sydney), 0)
  assert.ok(Math.abs(kilometres(place(0, 179.5), place(0, -179.5)) - 111.2) < 0.1)
})
