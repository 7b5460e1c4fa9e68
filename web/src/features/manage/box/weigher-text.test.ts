import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weigherText } from './weigher-text.ts'

test('a weight is typed, of a scale that was named, or signed by the key of one', () => {
  const weighed = { form: 'cose', key: '0123456789abcdef0123456789abcdef', bytes: '' }
  assert.deepEqual(
    [{}, { scale: 'Scale 2' }, { scale: 'urn:dev:mac:00', weighed }, { weighed: null }].map((data) =>
      weigherText(data, 'Ann Lee'),
    ),
    [
      'typed by Ann Lee',
      'of “Scale 2”, typed by Ann Lee',
      'signed by the scale urn:dev:mac:00 with the key 01234567, sent by Ann Lee',
      'typed by Ann Lee',
    ],
  )
})
