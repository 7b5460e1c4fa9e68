import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, valueText } from './differences.ts'

test('only fields that differ are listed, with both values as text', () =>
  assert.deepEqual(
    differences(
      { title: 'Snapper', price: 30, stock: 4, version: 1, includeGST: false },
      { title: 'Snapper', price: 32.5, stock: 4, version: 2, includeGST: true },
    ),
    [
      { field: 'price', from: '30', to: '32.5' },
      { field: 'includeGST', from: 'no', to: 'yes' },
    ],
  ))

test('a field that only one of the two has is a difference', () =>
  assert.deepEqual(differences({}, { description: 'Whole' }), [
    { field: 'description', from: 'nothing', to: 'Whole' },
  ]))

test('lists and missing values have a text', () => {
  assert.equal(valueText([]), 'none')
  assert.equal(valueText(['a.webp', 'b.webp']), 'a.webp, b.webp')
  assert.equal(valueText([{ boxID: 'B1', quantity: 2 }]), 'boxID B1 quantity 2')
  assert.equal(valueText(''), 'nothing')
  assert.equal(valueText(0), '0')
})
