import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  instantOf,
  isMarketTime,
  isSkippedTime,
  marketDate,
  marketTime,
  shownTime,
  MARKET_TIME_ZONE as ZONE,
} from './market-time.ts'

const utc = (text: string): string | undefined => {
  const instant = instantOf(text, ZONE)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

test('a market time is Sydney time, in summer and winter', () => {
  assert.equal(utc('2026-11-20 05:30:00'), '2026-11-19T18:30:00.000Z')
  assert.equal(utc('2026-07-01 00:00:00'), '2026-06-30T14:00:00.000Z')
})

test('a time that the clocks skip counts by the offset before; one that happens twice is the first', () => {
  assert.equal(utc('2026-10-04 01:59:59'), '2026-10-03T15:59:59.000Z')
  assert.equal(utc('2026-10-04 02:30:00'), '2026-10-03T16:30:00.000Z')
  assert.equal(utc('2026-10-04 03:00:00'), '2026-10-03T16:00:00.000Z')
  assert.equal(utc('2026-04-05 02:30:00'), '2026-04-04T15:30:00.000Z')
  assert.equal(utc('2026-04-05 03:00:00'), '2026-04-04T17:00:00.000Z')
})

test('a time that a change of clocks skips is recognized as one that does not exist', () => {
  for (const time of ['2026-10-04 02:00:00', '2026-10-04 02:30:00', '2026-10-04 02:59:59'])
    assert.ok(isSkippedTime(time, ZONE), time)
  for (const time of [
    '2026-10-04 01:59:59',
    '2026-10-04 03:00:00',
    '2026-04-05 02:30:00',
    '2026-10-04T02:30:00Z',
    'x',
  ])
    assert.ok(!isSkippedTime(time, ZONE), time)
  assert.ok(!isSkippedTime('2026-10-04 02:30:00', 'Australia/Perth'))
})

test('another zone can be given', () => {
  assert.equal(instantOf('2026-11-20 05:30:00', 'UTC'), Date.UTC(2026, 10, 20, 5, 30))
  assert.equal(marketTime(0, 'Australia/Perth'), '1970-01-01 08:00:00')
})

test('RFC 3339 with an offset is an instant, whatever the zone', () => {
  const table = [
    ['2026-11-20T05:30:00Z', '2026-11-20T05:30:00.000Z'],
    ['2026-11-20t05:30:00.25z', '2026-11-20T05:30:00.250Z'],
    ['2026-11-20T05:30:00+11:00', '2026-11-19T18:30:00.000Z'],
    ['2026-11-20T05:30:00-03:30', '2026-11-20T09:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ] as const
  for (const [text, want] of table) assert.equal(utc(text), want, text)
})

test('text that is not a time is rejected', () => {
  const bad = [
    '',
    'yesterday',
    '2026-11-20',
    '2026-11-20 05:30',
    '2026-02-29 00:00:00',
    '2026-13-01 00:00:00',
    '2026-00-10 00:00:00',
    '2026-11-31 00:00:00',
    '2026-11-20 24:00:00',
    '2026-11-20 23:60:00',
    '2026-11-20 23:59:60',
    ' 2026-11-20 05:30:00',
    '2026-11-20T05:30:00',
    '2026-11-20 05:30:00Z',
    '2026-11-20T05:30:00+24:00',
    '20261120T053000Z',
  ]
  for (const text of bad) assert.equal(instantOf(text, ZONE), undefined, text)
  assert.equal(isMarketTime('2026-11-20T05:30:00Z'), false)
  assert.equal(isMarketTime('2024-02-29 00:00:00'), true)
})

test('every instant is restored from its market time, except in the hour that happens twice', () => {
  const seconds = fc.integer({ min: 0, max: 4_000_000_000 })
  fc.assert(
    fc.property(seconds, (second) => {
      const back = instantOf(marketTime(second * 1000, ZONE), ZONE)
      assert.ok(back === second * 1000 || back === (second - 3600) * 1000)
    }),
  )
})

test('times are shown as date then HH:MM in market time', () => {
  assert.deepEqual(shownTime('2026-11-20 05:30:59', ZONE), { date: '2026-11-20', time: '05:30' })
  assert.deepEqual(shownTime('2026-11-19T18:30:00Z', ZONE), { date: '2026-11-20', time: '05:30' })
  assert.deepEqual(shownTime('2026-10-04 02:30:00', ZONE), { date: '2026-10-04', time: '03:30' })
  assert.deepEqual(shownTime('soon', ZONE), { date: 'soon', time: '' })
})

test('the date of an instant is the one of its own zone and day, whatever was asked before', () => {
  const [before, after] = [Date.parse('2026-11-24T12:59:59.999Z'), Date.parse('2026-11-24T13:00:00Z')]
  for (const [instant, zone, date] of [
    [before, 'Australia/Sydney', '2026-11-24'],
    [after, 'Australia/Sydney', '2026-11-25'],
    [before, 'Australia/Sydney', '2026-11-24'],
    [after, 'UTC', '2026-11-24'],
    [after, 'Australia/Sydney', '2026-11-25'],
    [-1, 'UTC', '1969-12-31'],
  ] as const)
    assert.equal(marketDate(instant, zone), date)
  assert.throws(() => marketDate(Number.NaN, 'UTC'), RangeError)
})
