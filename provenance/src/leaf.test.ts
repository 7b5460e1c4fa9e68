import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anchorLeaf, compareBoxes, parseBoxState } from './leaf.ts'

const state = { box: 'A', count: 3, head: '0a'.repeat(32), sealed: false }

test('a leaf is the canonical text of its four fields', () => {
  const text = `{"box":"A","count":3,"head":"${'0a'.repeat(32)}","sealed":false}`
  assert.equal(new TextDecoder().decode(anchorLeaf(state)), text)
})

test('boxes are ordered by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareBoxes(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

test('a leaf with another count, head, flag or field is refused', () => {
  assert.deepEqual(parseBoxState(state), state)
  for (const odd of [{ count: 0 }, { count: 1.5 }, { head: '0x' }, { sealed: 1 }, { box: '' }, { extra: 1 }])
    assert.throws(() => parseBoxState({ ...state, ...odd }), { name: 'FormatError' })
})
