import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conflictsOf, dirtyFields, dirtyValues, merged } from './draft.ts'

const base = { title: 'Snapper', price: 30, stock: 4, images: [{ path: 'a.webp', alt: '' }] }

test('only what differs is dirty and sent, however deep it differs', () => {
  const draft = { ...base, price: 32, images: [{ path: 'a.webp', alt: 'A snapper' }] }
  assert.deepEqual(dirtyFields(base, draft), ['price', 'images'])
  assert.deepEqual(dirtyValues(base, draft), { price: 32, images: draft.images })
  assert.deepEqual(dirtyValues(base, { ...base }), {})
})

test('two people conflict only in a field that both changed to different values', () => {
  const mine = { ...base, price: 32, stock: 9 }
  assert.deepEqual(conflictsOf(base, mine, { ...base, title: 'Red snapper' }), [])
  assert.deepEqual(conflictsOf(base, mine, { ...base, price: 32 }), [], 'the same change twice')
  assert.deepEqual(conflictsOf(base, mine, { ...base, price: 35, title: 'Red snapper' }), [
    { field: 'price', mine: 32, theirs: 35 },
  ])
})

test('merging keeps their changes where I changed nothing, and mine unless I discard them', () => {
  const mine = { ...base, price: 32, stock: 9 }
  const theirs = { ...base, title: 'Red snapper', price: 35 }
  assert.deepEqual(merged(base, mine, theirs), { ...base, title: 'Red snapper', price: 32, stock: 9 })
  assert.deepEqual(merged(base, mine, theirs, new Set(['price'])), {
    ...base,
    title: 'Red snapper',
    price: 35,
    stock: 9,
  })
})
