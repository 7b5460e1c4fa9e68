import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockTimeSeconds, blockTimeText, isTimestamp } from './validate.ts'

for (const [text, wanted] of [
  ['2026-11-21 09:30:00', true],
  ['2026-11-21T09:30:00Z', true],
  ['2026-11-21T09:30:00.123+10:30', true],
  ['2026-11-21t09:30:00z', true],
  ['2024-02-29 00:00:00', true],
  ['2016-12-31T23:59:60Z', true],
  ['2026-02-29 00:00:00', false],
  ['2100-02-29 00:00:00', false],
  ['2026-04-31 00:00:00', false],
  ['2026-13-01 00:00:00', false],
  ['2026-00-01 00:00:00', false],
  ['2026-11-21 24:00:00', false],
  ['2026-11-21 09:60:00', false],
  ['2026-11-21 09:30:60', false],
  ['2026-11-21T09:30:00', false],
  ['2026-11-21T09:30:00+24:00', false],
  ['2026-11-21 09:30:00Z', false],
  ['2026-11-21 9:30:00', false],
  ['2026-11-21 09:30:00\n', false],
  ['', false],
] as const)
  test(`${JSON.stringify(text)} ${wanted ? 'is' : 'is not'} a time of a record`, () =>
    assert.equal(isTimestamp(text), wanted))

test('block times go to text and back, and no other spelling is taken', () => {
  assert.equal(blockTimeText(1_795_222_923), '2026-11-21T01:02:03Z')
  assert.equal(blockTimeSeconds('2026-11-21T01:02:03Z'), 1_795_222_923)
  for (const odd of [
    '2026-11-21T01:02:03.000Z',
    '2026-11-21T01:02:03+00:00',
    '2026-11-31T01:02:03Z',
    '2026-11-21',
  ])
    assert.equal(blockTimeSeconds(odd), undefined, odd)
})
