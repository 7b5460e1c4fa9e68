import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatedAhead, latenessIn, latenessOf } from './lateness.ts'

const noon = Date.UTC(2026, 10, 21, 12, 0, 0) / 1000

test('lateness is what passed from the record’s time to the block’s, in whole seconds', () => {
  const lateness = latenessIn('Australia/Sydney')
  for (const [at, want] of [
    ['2026-11-21T12:00:00Z', 0],
    ['2026-11-21T11:59:20z', 40],
    ['2026-11-21T11:59:59.400Z', 0],
    ['2026-11-21T12:00:00.400Z', -1],
    ['2026-11-21T22:30:00+10:30', 0],
    ['2026-11-21T07:00:00-05:00', 0],
    ['2026-11-21 23:00:00', 0], // summer: Sydney is 11 hours ahead
    ['2026-11-19 23:00:00', 172_800],
    ['2026-11-21T11:58:60Z', 60], // second 60 is the first of the next minute
  ] as const)
    assert.equal(lateness(at, noon), want, at)
  assert.equal(lateness('yesterday', noon), null)
})

test('a market time is read in the zone that is named, also where its clocks change', () => {
  const inSydney = latenessIn('Australia/Sydney')
  const at = (text: string): number => Date.parse(text) / 1000
  assert.equal(inSydney('2026-07-01 10:00:00', at('2026-07-01T00:00:00Z')), 0)
  assert.equal(inSydney('2026-10-04 02:30:00', at('2026-10-03T16:30:00Z')), 0) // skipped: by the offset before
  assert.equal(inSydney('2027-04-04 02:30:00', at('2027-04-03T15:30:00Z')), 0) // comes twice: the first
  assert.equal(latenessIn('UTC')('2026-11-21 12:00:00', noon), 0)
  assert.equal(latenessIn('Asia/Kathmandu')('2026-11-21 17:45:00', noon), 0)
  assert.throws(() => latenessIn('Atlantis/Harbour'), RangeError)
})

test('a box has the lateness of its latest record, and counts those over an hour', () => {
  assert.deepEqual(latenessOf([]), { largestS: null, overAnHour: 0 })
  assert.deepEqual(latenessOf([null, -20]), { largestS: -20, overAnHour: 0 })
  assert.deepEqual(latenessOf([3600, null, 3601, 9]), { largestS: 3601, overAnHour: 1 })
})

test('clocks may differ by five minutes before a record is dated ahead', () => {
  assert.deepEqual([-301, -300, 0, 9].map(isDatedAhead), [true, false, false, false])
})
