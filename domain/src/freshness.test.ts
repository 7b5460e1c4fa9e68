import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  assess,
  freshnessIndex,
  newest,
  sensorResultOf,
  sensorScore,
  sensorScoreFormula,
  starsFormula,
} from './freshness.ts'
import { pastItsBest, stars } from './freshness-word.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { sampleBox } from './testing/boxes.ts'
import { anyReadings, reading, steady } from './testing/readings.ts'

test('2 °C for 6 hours, read hourly, scores 0.25', () => {
  assert.equal(sensorScore(steady(6, 2), ZONE), 0.25)
})

test('each interval counts with the temperature at its end; below zero counts as zero', () => {
  assert.equal(sensorScore([reading(0, 20), reading(1, 12)], ZONE), 0.25)
  assert.equal(sensorScore([reading(0, 5), reading(10, -4)], ZONE), 0)
})

test('the score stops at 1, is 0 for one reading and null for none', () => {
  assert.equal(sensorScore(steady(48, 20), ZONE), 1)
  assert.equal(sensorScore([reading(0, 20)], ZONE), 0)
  assert.equal(sensorScore([], ZONE), null)
})

test('order does not matter, and two readings in one second count once', () => {
  fc.assert(
    fc.property(anyReadings, (readings) => {
      const score = sensorScore(readings, ZONE)
      assert.equal(sensorScore([...readings].reverse(), ZONE), score)
      assert.equal(sensorScore([...readings, ...readings], ZONE), score)
      assert.ok(score === null || (score >= 0 && score <= 1))
    }),
  )
})

test('of two readings in one second the warmer counts, whichever came first', () => {
  const two = [reading(6, 8), reading(6, 4)]
  for (const pair of [two, two.toReversed()]) assert.equal(sensorScore([reading(0, 0), ...pair], ZONE), 1)
})

test('the index fuses the scores that exist, weights adding up to 1', () => {
  const table = [
    [{ iot: 0.6, img: 0, nose: 0 }, 0.3, { iot: 0.5, img: 0.3, nose: 0.2 }],
    [{ iot: 0.6, img: null, nose: null }, 0.6, { iot: 1, img: 0, nose: 0 }],
    [{ iot: 0.6, img: 0, nose: null }, 0.375, { iot: 0.625, img: 0.375, nose: 0 }],
    [{ iot: null, img: 0.5, nose: 0.5 }, 0.5, { iot: 0, img: 0.6, nose: 0.4 }],
    [{ iot: 1, img: 1, nose: 1 }, 1, { iot: 0.5, img: 0.3, nose: 0.2 }],
  ] as const
  for (const [scores, index, weights] of table) assert.deepEqual(freshnessIndex(scores), { index, weights })
  assert.equal(freshnessIndex({ iot: null, img: null, nose: null }), null)
})

test('stars are floor(6 − 2 × index), at most 5, and none from 1 on', () => {
  const table = [
    [0, 5],
    [0.25, 5],
    [0.5, 5],
    [0.51, 4],
    [0.999, 4],
    [1, null],
    [1.2, null],
  ] as const
  for (const [index, want] of table) {
    assert.equal(stars(index), want, String(index))
    assert.equal(pastItsBest(index), want === null)
  }
})

test('the formulas that pages show are those that are computed', () => {
  const hours = Number(/divided by (\d+)$/.exec(sensorScoreFormula)?.[1])
  assert.equal(sensorScore(steady(hours, 1), ZONE), 1)
  assert.ok((sensorScore(steady(hours - 1, 1), ZONE) ?? 1) < 1)
  const [, from, per, most] = (/^(\d) − (\d) × index.* (\d)$/.exec(starsFormula) ?? []).map(Number)
  for (const index of [0, 0.2, 0.5, 0.51, 0.99])
    assert.equal(
      stars(index),
      Math.min(most ?? 0, Math.floor((from ?? 0) - (per ?? 0) * index)),
      String(index),
    )
})

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
