import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assess, newest, sensorResultOf } from './assessment.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { sampleBox } from './testing/boxes.ts'
import { reading, steady } from './testing/readings.ts'

test('the newest of a list is chosen by time, whatever the order and format of times', () => {
  const list = [
    { time: '2026-11-20 05:00:00', n: 1 },
    { time: '2026-11-19T18:30:00Z', n: 2 },
    { time: '2026-11-19 23:00:00', n: 3 },
  ]
  assert.equal(newest(list, ZONE)?.n, 2)
  assert.equal(
    newest([...list, { time: '2026-11-20 05:30:00', n: 4 }], ZONE)?.n,
    4,
    'the later of two at one time',
  )
  assert.equal(newest([], ZONE), undefined)
})

test('an assessment fuses the readings with the newest image and e-nose score', () => {
  const box = sampleBox()
  assert.deepEqual(assess(box, '2026-11-19 06:00:00', ZONE), {
    freshnessIndex: 0.064584,
    time: '2026-11-19 06:00:00',
    conf_iot: 0.5,
    conf_img: 0.3,
    conf_enose: 0.2,
  })
  assert.deepEqual(assess({ ...box, imageProc: [], e_nose: [] }, 't', ZONE)?.conf_iot, 1)
  assert.equal(assess({ iotResult: null, imageProc: [], e_nose: [] }, 't', ZONE), null)
})

test('a computed sensor result has the newest known position and the number of readings', () => {
  const lost = { latitude: 0, longitude: 0 }
  const readings = [...steady(4, 2), reading(10, 2, lost)].map((one) => ({ ...one, iotID: 'L-1' }))
  assert.deepEqual(sensorResultOf(readings, ZONE), {
    operator: 'L-1',
    iotScore: 0.416667,
    confidence: 0.4,
    time: readings[5]?.time,
    latitude: -33.9,
    longitude: 151.2,
  })
  assert.equal(sensorResultOf([], ZONE), null)
})
