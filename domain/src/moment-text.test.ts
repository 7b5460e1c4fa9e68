import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockText, dayText, momentText, slotText } from './moment-text.ts'

const SYDNEY = 'Australia/Sydney'

test('a moment is written as people say it, in its zone', () => {
  for (const [at, text] of [
    ['2026-11-17T08:40:00Z', 'Tue 17 Nov, 7:40 pm'],
    ['2026-11-16T13:00:00Z', 'Tue 17 Nov, 12:00 am'],
    ['2026-07-01T02:05:00+00:00', 'Wed 1 Jul, 12:05 pm'],
  ] as const)
    assert.equal(momentText(at, SYDNEY), text)
  assert.equal(momentText(null, SYDNEY), '')
  assert.equal(momentText('soon', SYDNEY), '')
})

test('a moment of another year says which', () => {
  const at = '2025-12-30T08:40:00Z'
  assert.equal(momentText(at, SYDNEY, '2026-01-02'), 'Tue 30 Dec 2025, 7:40 pm')
  assert.equal(momentText(at, SYDNEY, '2025-12-31'), 'Tue 30 Dec, 7:40 pm')
})

test('a slot is its day and its hours', () => {
  const slot = { startsAt: '2026-11-23T20:00:00Z', endsAt: '2026-11-23T23:00:00Z', timeZone: SYDNEY }
  assert.equal(slotText(slot), 'Tue 24 Nov, 7:00 am to 10:00 am')
  assert.equal(slotText({ ...slot, timeZone: 'Australia/Perth' }), 'Tue 24 Nov, 4:00 am to 7:00 am')
})

test('a slot that ends on another day says which', () => {
  const slot = { startsAt: '2026-11-23T21:00:00Z', endsAt: '2026-11-24T14:00:00Z', timeZone: SYDNEY }
  assert.equal(slotText(slot), 'Tue 24 Nov, 8:00 am to Wed 25 Nov, 1:00 am')
  assert.equal(slotText({ ...slot, endsAt: null }), 'Tue 24 Nov, 8:00 am to unknown')
})

test('hours of the clock are written as people say them', () => {
  for (const [clock, text] of [
    ['00:05', '12:05 am'],
    ['08:00', '8:00 am'],
    ['12:00', '12:00 pm'],
    ['23:59', '11:59 pm'],
  ] as const)
    assert.equal(clockText(clock), text)
})

test('a date is written as people say it', () => {
  assert.equal(dayText('2026-11-30'), 'Mon 30 Nov')
  assert.equal(dayText('2027-01-03'), 'Sun 3 Jan')
})
