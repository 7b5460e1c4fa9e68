import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrivalOf, drawnSilences, heardRows, journeyNames, peakOf, silences } from './journey.ts'

const MINUTE = 60_000
const everyTenMinutes = (...minutes: number[]) => minutes.map((minute) => ({ at: minute * MINUTE }))

test('a silence is longer than twice the usual interval, and says between which readings', () => {
  assert.deepEqual(silences(everyTenMinutes(0, 10, 20, 40, 50)), [])
  assert.deepEqual(silences(everyTenMinutes(0, 10, 20, 41, 51, 251)), [
    { from: 2, to: 3, minutes: 21 },
    { from: 4, to: 5, minutes: 200 },
  ])
  for (const few of [[], everyTenMinutes(5), everyTenMinutes(5, 500)]) assert.deepEqual(silences(few), [])
})

test('every reading is in one row, and no row goes across a silence', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }), (steps) => {
      let minute = 0
      const readings = everyTenMinutes(0, ...steps.map((step) => (minute += step)))
      const silent = silences(readings)
      const rows = heardRows(readings.length, silent)
      assert.deepEqual(rows.flat(), [...readings.keys()])
      assert.equal(rows.length, silent.length + 1)
      for (const { from, to } of silent)
        assert.ok(rows.every((row) => !(row.includes(from) && row.includes(to))))
    }),
  )
})

test('the peak is the first of the warmest readings', () => {
  const of = (...temperatures: number[]) => peakOf(temperatures.map((temperature) => ({ temperature })))
  assert.equal(of(1, 3.2, 2, 3.2), 1)
  assert.equal(of(-9, -2, -3), 1)
  assert.equal(of(), null)
})

test('a box arrives with its first reading within two kilometres of the market', () => {
  const market = { latitude: -33.87, longitude: 151.19 }
  const at = (latitude: number) => ({ spot: { latitude, longitude: 151.19 } })
  assert.equal(arrivalOf([at(-33), { spot: null }, at(-33.855), at(-33.87)], market), 2)
  assert.equal(arrivalOf([at(-33), { spot: null }], market), null)
})

test('caught, landed and at market are named in order, each where it is known', () => {
  const market = { latitude: -33.87, longitude: 151.19 }
  const away = { latitude: -33, longitude: 151.19 }
  const readings = [away, away, away, market].map((spot, i) => ({ spot, at: i * MINUTE }))
  const named = (...args: [boolean, number?]) =>
    journeyNames(readings, market, ...args).named.map(({ name, index }) => `${name} ${index}`)
  assert.deepEqual(named(true, 2 * MINUTE), ['Caught 0', 'Landed 2', 'At market 3'])
  assert.deepEqual(named(false), ['At market 3'])
  assert.deepEqual(named(true, 99 * MINUTE), ['Caught 0', 'At market 3'])
})

test('of many silences those that can be seen are drawn, and the longest are named', () => {
  const bars = [0, 100, 500, 502, 700, 1000].map((centre) => ({ centre }))
  const silent = [
    { from: 0, to: 1, minutes: 30 },
    { from: 1, to: 2, minutes: 90 },
    { from: 2, to: 3, minutes: 10 },
    { from: 4, to: 5, minutes: 60 },
  ]
  assert.deepEqual(
    drawnSilences(silent, bars).map(({ minutes, hasText }) => [minutes, hasText]),
    [
      [90, true],
      [60, true],
      [30, false],
    ],
  )
})
