import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductInput, ProductPatch } from './catalogue.ts'
import { originText, weightText } from './labelling.ts'
import { Allergens, Origin } from './product-fields.ts'

test('an origin is a list of countries, also as text with commas between', () => {
  assert.deepEqual(Origin.parse('Australia, New Zealand ,, Australia'), ['Australia', 'New Zealand'])
  assert.deepEqual(Origin.parse([' Fiji ']), ['Fiji'])
  assert.deepEqual(Origin.parse(''), [])
})

test('an origin that is no list of names is refused', () => {
  for (const bad of [7, null, {}, [7], ['a\u202eb'], ['x'.repeat(61)], Array(11).fill('Fiji'), ['a\nb']])
    assert.equal(Origin.safeParse(bad).success, false, JSON.stringify(bad))
})

test('allergens are known ones, each once, in their own order', () => {
  assert.deepEqual(Allergens.parse('sulphites, fish,fish'), ['fish', 'sulphites'])
  assert.deepEqual(Allergens.parse([]), [])
  const refused = Allergens.safeParse(['fish', 'peanut'])
  assert.deepEqual(refused.error?.issues[0]?.path, [1])
  assert.equal(Allergens.safeParse(Array(101).fill('fish')).success, false)
})

test('a product may be made without origin and allergens, and changed without naming them', () => {
  const made = ProductInput.parse({ title: 'Hoki', category_id: 'fish' })
  assert.deepEqual([made.origin, made.allergens, made.pieceWeight], [[], [], 0])
  assert.deepEqual(ProductPatch.parse({ price: 3 }), { price: 3 })
})

test('an origin in words', () => {
  assert.equal(originText([]), 'Origin not stated')
  assert.equal(originText(['Australia']), 'Australia')
  assert.equal(originText(['Australia', 'Fiji', 'New Zealand']), 'Australia, Fiji and New Zealand')
})

test('a weight in words', () => {
  assert.deepEqual([450, 999, 1_000, 1_250].map(weightText), ['450 g', '999 g', '1 kg', '1.25 kg'])
})
