import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxRecord } from '@befaqt/provenance'
import { weightRows } from './weight-rows.ts'

const weighed = { form: 'cose', key: '0123456789abcdef0123456789abcdef', bytes: '' }
const history = [
  ['catch', { species: 'Snapper' }],
  ['weight', { of: 'catch', grams: 41_000 }],
  ['weight', { of: 'box', grams: 40_000, scale: 'Scale 2' }],
  ['weight', { of: 'box', grams: 38_205, scale: 'urn:dev:mac:00', weighed }],
  ['weight', { of: 'box', weighed: null }],
] as const
const records = history.map(
  ([kind, data], i): BoxRecord => ({
    ...{ v: 1, box: 'A-1', seq: i + 1, kind, data },
    ...{ at: '2026-11-21 05:40:00', by: i === 1 ? 'user-9' : 'user-1', salt: '' },
  }),
)

test('weights are listed the newest first: typed, of a scale that was named, or signed by the key of one', () => {
  const rows = weightRows(records, { 'user-1': 'Ann Lee', 'user-9': '' })
  assert.deepEqual(
    rows.map(({ seq, amount, said, isSigned }) => [seq, amount, said, isSigned]),
    [
      [5, '', 'as it was boxed, typed by Ann Lee', false],
      [
        4,
        '38.205 kg',
        'as it was boxed, signed by the scale urn:dev:mac:00 with the key 01234567, sent by Ann Lee',
        true,
      ],
      [3, '40.0 kg', 'as it was boxed, of “Scale 2”, typed by Ann Lee', false],
      [2, '41.0 kg', 'as it was caught, typed by user-9', false],
    ],
  )
})
