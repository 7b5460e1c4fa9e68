import assert from 'node:assert/strict'
import test from 'node:test'
import { clockText, slotText } from './slot-text.ts'

test('hours of the clock are said as people do', () => {
  for (const [clock, text] of [
    ['00:05', '12:05 am'],
    ['08:00', '8:00 am'],
    ['12:00', '12:00 pm'],
    ['23:59', '11:59 pm'],
  ] as const)
    assert.equal(clockText(clock), text)
})

test('a slot is said in its own zone, with the day of its end where that is another', () => {
  const timeZone = 'Australia/Sydney'
  const startsAt = '2026-11-23T21:00:00.000Z'
  assert.equal(
    slotText({ startsAt, endsAt: '2026-11-23T23:00:00.000Z', timeZone }),
    'Tue 24 Nov, 8:00 am to 10:00 am',
  )
  assert.equal(
    slotText({ startsAt, endsAt: '2026-11-24T14:00:00.000Z', timeZone }),
    'Tue 24 Nov, 8:00 am to Wed 25 Nov, 1:00 am',
  )
})
