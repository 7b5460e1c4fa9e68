import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_WARM_LIMIT, followReadings, NOTHING_WATCHED } from './excursions.ts'

const MIN = 60_000
const every10 = (...temperatures: number[]) =>
  temperatures.map((temperature, i) => ({ at: i * 10 * MIN, temperature }))
const follow = (...temperatures: number[]) =>
  followReadings(NOTHING_WATCHED, every10(...temperatures), DEFAULT_WARM_LIMIT).stretches

test('above 5 °C for 30 minutes is a stretch with its peak; it ends with the first cold reading', () => {
  assert.deepEqual(follow(2, 6, 7, 9, 6, 3), [
    { since: 10 * MIN, until: 50 * MIN, peak: 9, peakAt: 30 * MIN },
  ])
  assert.deepEqual(follow(2, 6, 7, 6, 6), [{ since: 10 * MIN, until: null, peak: 7, peakAt: 20 * MIN }])
  assert.deepEqual(follow(6, 7, 5, 6, 7, 4), [], 'twice for 20 minutes is none')
  assert.deepEqual(follow(5, 5, 5, 5, 5), [], '5 °C is not above')
})

test('readings in parts give the same as together', () => {
  const temperatures = fc.array(fc.integer({ min: 3, max: 8 }), { maxLength: 30 })
  fc.assert(
    fc.property(temperatures, fc.nat(30), (list, cut) => {
      const readings = every10(...list)
      const whole = followReadings(NOTHING_WATCHED, readings, DEFAULT_WARM_LIMIT)
      const first = followReadings(NOTHING_WATCHED, readings.slice(0, cut), DEFAULT_WARM_LIMIT)
      const second = followReadings(first.watch, readings.slice(cut), DEFAULT_WARM_LIMIT)
      const ended = first.stretches.filter(({ until }) => until !== null)
      assert.deepEqual([...ended, ...second.stretches], whole.stretches)
      assert.deepEqual(second.watch, whole.watch)
    }),
  )
})
