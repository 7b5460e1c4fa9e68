import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotView } from '@befaqt/domain/api/order-api'
import { daysOf, slotsFor } from './slot-choice.ts'

const slot = (id: string, startsAt: string, area: string[] | null = null): SlotView => ({
  _id: id,
  kind: area === null ? 'pickup' : 'delivery',
  startsAt,
  endsAt: startsAt,
  timeZone: 'Australia/Sydney',
  cutOffAt: startsAt,
  area,
  left: 5,
})
const slots = [
  slot('early', '2026-11-23T20:00:00Z'),
  slot('late', '2026-11-24T03:00:00Z'),
  slot('next', '2026-11-24T20:00:00Z'),
  slot('near', '2026-11-24T06:00:00Z', ['2000', '2009']),
  slot('far', '2026-11-25T06:00:00Z', ['4000']),
]
const ids = (list: readonly SlotView[]) => list.map(({ _id }) => _id)

test('a delivery is offered the times of its postcode, once that is typed', () => {
  assert.deepEqual(ids(slotsFor(slots, { kind: 'pickup', postcode: '4000' })), ['early', 'late', 'next'])
  assert.deepEqual(ids(slotsFor(slots, { kind: 'delivery', postcode: '400' })), ['near', 'far'])
  assert.deepEqual(ids(slotsFor(slots, { kind: 'delivery', postcode: '4000' })), ['far'])
  assert.deepEqual(ids(slotsFor(slots, { kind: 'delivery', postcode: '9999' })), [])
})

test('times are offered by the day in their own zone', () => {
  const pickup = daysOf(slots.filter(({ kind }) => kind === 'pickup'))
  assert.deepEqual(
    pickup.map(({ date, name, slots: ofDay }) => [date, name, ids(ofDay)]),
    [
      ['2026-11-24', 'Tue 24 Nov', ['early', 'late']],
      ['2026-11-25', 'Wed 25 Nov', ['next']],
    ],
  )
})
