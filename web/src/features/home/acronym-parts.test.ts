import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acronymParts } from './acronym-parts.ts'

const FULL = 'Blockchain enabled Fish provenance And Quality Tracking'

test('the letters of the short name are found in the full one, in order', () => {
  const parts = acronymParts('BeFAQT', FULL)
  assert.equal(parts.map(({ letter }) => letter).join(''), 'BeFAQT')
  assert.deepEqual(parts[3], { letter: '', rest: 'provenance' })
})

test('no word is lost, whatever the name', () => {
  for (const name of ['BeFAQT', '', 'Shop'])
    assert.equal(
      acronymParts(name, FULL)
        .map(({ letter, rest }) => letter + rest)
        .join(' '),
      FULL,
    )
})
