import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submissionKey as keyIn } from './submission-key.ts'

const submissionKey = (reading: Parameters<typeof keyIn>[0]): string => keyIn(reading, 'Australia/Sydney')
const reading = { iotID: 'L-1', time: '2026-11-20 10:00:00' }

test('a resent reading is recognized by its id alone, or by its logger and instant', () => {
  const same = [
    [
      { ...reading, id: 'a' },
      { iotID: 'L-2', time: '2026-11-20 11:00:00', id: 'a' },
    ],
    [reading, { ...reading, time: '2026-11-19T23:00:00Z' }],
    [reading, { ...reading, time: '2026-11-20T08:00:00.000+09:00' }],
  ] as const
  for (const [one, other] of same) assert.equal(submissionKey(one), submissionKey(other))
})

test('another id, logger or second is another reading, and no id is mistaken for a time', () => {
  const different = [
    [
      { ...reading, id: 'a' },
      { ...reading, id: 'b' },
    ],
    [reading, { ...reading, id: 'a' }],
    [reading, { ...reading, iotID: 'L-2' }],
    [reading, { ...reading, time: '2026-11-20 10:00:01' }],
    [reading, { ...reading, id: submissionKey(reading) }],
  ] as const
  for (const [one, other] of different) assert.notEqual(submissionKey(one), submissionKey(other))
})

test('a time without an offset is the market’s, wherever that is', () => {
  const perth = 'Australia/Perth'
  assert.equal(keyIn(reading, perth), keyIn({ ...reading, time: '2026-11-20T02:00:00Z' }, perth))
  assert.notEqual(keyIn(reading, perth), keyIn({ ...reading, time: '2026-11-19T23:00:00Z' }, perth))
})
