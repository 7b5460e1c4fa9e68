import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Box, TrackingReading } from '@befaqt/domain/box'
import fc from 'fast-check'
import { rowWindow, sharedReadings, shownReadings, tableRows, WHOLE } from './readings.ts'

const SYDNEY = 'Australia/Sydney'

const reading = (time: string, more: Partial<TrackingReading> = {}): TrackingReading => ({
  time,
  latitude: -33,
  longitude: 151,
  iotID: 'L-1',
  temperature: 2,
  ...more,
})

const boxWith = (iotTracking: TrackingReading[]): Box => ({
  boxID: '1',
  fisher: { traderID: 't', traderName: '', companyName: '', boat: '', address: '' },
  catchProv: null,
  iotResult: {
    operator: '',
    iotScore: 0,
    confidence: 1,
    time: '2026-11-20 00:00:00',
    latitude: 0,
    longitude: 0,
    iotTracking,
  },
  imageProc: [],
  e_nose: [],
  freshness: [],
})

test('a missing position repeats the last one in the list and is left out on the map', () => {
  const box = boxWith([
    reading('2026-11-20 01:00:00'),
    reading('2026-11-20 02:00:00', { latitude: 0, longitude: 0 }),
    reading('2026-11-20 03:00:00', { latitude: -33.5, longitude: 151.5 }),
  ])
  const [, lost] = shownReadings(box, SYDNEY)
  assert.deepEqual(lost?.place, { latitude: -33, longitude: 151 })
  assert.equal(lost?.spot, null)
})

test('before the first known position none is shown', () => {
  const [first] = shownReadings(
    boxWith([reading('2026-11-20 01:00:00', { latitude: 0, longitude: 0 })]),
    SYDNEY,
  )
  assert.deepEqual([first?.place, first?.spot], [null, null])
})

test('readings are in order and in market time, whatever their format and order', () => {
  const box = boxWith([
    reading('2026-11-19T14:30:00Z', { temperature: 3.004 }),
    reading('2026-11-20 01:10:00'),
  ])
  const shown = shownReadings(box, SYDNEY)
  assert.deepEqual(
    shown.map(({ date, clock }) => `${date} ${clock}`),
    ['2026-11-20 01:10', '2026-11-20 01:30'],
  )
  assert.deepEqual([shown[1]?.temperature, shown[1]?.band], [3, 'cold'])
})

test('two readings in the same second are both shown, with different keys', () => {
  const shown = shownReadings(
    boxWith([reading('2026-11-20 01:00:00'), reading('2026-11-20 01:00:00')]),
    SYDNEY,
  )
  assert.equal(new Set(shown.map(({ key }) => key)).size, 2)
})

test('a box without a sensor has no readings', () => {
  assert.deepEqual(shownReadings({ ...boxWith([]), iotResult: null }, SYDNEY), [])
})

test('with a reading more, those that stay as they are stay the same objects; with none, the whole list does', () => {
  const times = ['2026-11-20 01:00:00', '2026-11-20 02:00:00', '2026-11-20 03:00:00']
  const shownAt = (count: number, more: Partial<TrackingReading> = {}) =>
    shownReadings(boxWith(times.slice(0, count).map((time, i) => reading(time, i === 1 ? more : {}))), SYDNEY)
  const before = shownAt(2)
  assert.equal(sharedReadings(before, shownAt(2)), before)
  const longer = sharedReadings(before, shownAt(3))
  assert.deepEqual(longer, shownAt(3))
  assert.deepEqual([longer[0] === before[0], longer[1] === before[1]], [true, true])
  const corrected = sharedReadings(longer, shownAt(3, { temperature: 7 }))
  assert.deepEqual(corrected, shownAt(3, { temperature: 7 }))
  assert.deepEqual([corrected[0] === before[0], corrected[1] === before[1]], [true, false])
  assert.deepEqual(sharedReadings(longer, before), before, 'one less')
})

test('every reading stands once, in order, after the one row of its day', () => {
  const days = ['2026-11-17', '2026-11-17', '2026-11-18', '2026-11-20'].map((date) => ({ date }))
  assert.deepEqual(
    tableRows(days).map(({ day, index }) => index ?? day),
    ['2026-11-17', 0, 1, '2026-11-18', 2, '2026-11-20', 3],
  )
  assert.deepEqual(tableRows([]), [])
})

test('what is in sight is there, and never more than a few rows of a long table', () => {
  assert.deepEqual(rowWindow(WHOLE, 100), [0, WHOLE])
  fc.assert(
    fc.property(fc.integer({ min: WHOLE + 1, max: 100_000 }), fc.nat(100_000), (count, anywhere) => {
      const top = Math.min(anywhere, count - 1)
      const [from, to] = rowWindow(count, top)
      assert.ok(from <= top && to >= Math.min(count, top + 20), `${from} to ${to} at ${top} of ${count}`)
      assert.equal(to - from, 60)
    }),
  )
})
