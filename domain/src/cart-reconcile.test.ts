import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Cart, CartProduct } from './cart.ts'
import { cartChangeText, reconcile as reconcileAsked, repriced } from './cart-reconcile.ts'
import { addToCart, setQuantity } from './change-cart.ts'
import { cents } from './money.ts'
import { product, products } from './testing/products.ts'

const holding = (quantity: number, over = {}): Cart =>
  setQuantity(addToCart([], product('a', over)), 'a', quantity)

/** Compares a cart all of whose products were asked for. */
const reconcile = (cart: Cart, active: readonly CartProduct[]) =>
  reconcileAsked(cart, active, new Set(cart.map(({ _id }) => _id)))

test('a line whose product was not asked for stays as it is', () => {
  const cart = addToCart(holding(2), product('b'))
  const { lines, changes } = reconcileAsked(cart, [product('b', { stock: 0 })], new Set(['b']))
  assert.deepEqual(lines, holding(2))
  assert.deepEqual(
    changes.map(({ productId }) => productId),
    ['b'],
  )
})

test('a line whose product is missing, not active or out of stock is removed and reported', () => {
  const cart = holding(2)
  for (const [active, why] of [
    [[], 'gone'],
    [[product('a', { status: 'INACTIVE' })], 'gone'],
    [[product('a', { stock: 0 })], 'out-of-stock'],
    [[product('a', { stock: 0, saleStopped: true })], 'not-on-sale'],
  ] as const) {
    const { lines, changes } = reconcile(cart, active)
    assert.deepEqual(lines, [])
    assert.deepEqual(changes, [{ productId: 'a', title: 'Fish a', kind: 'dropped', why }])
  }
})

test('a quantity above stock is capped and reported', () => {
  const { lines, changes } = reconcile(holding(9), [product('a', { stock: 4 })])
  assert.equal(lines[0]?.quantity, 4)
  assert.deepEqual(changes, [{ productId: 'a', title: 'Fish a', kind: 'capped', from: 9, to: 4, unit: 'kg' }])
})

test('an amount that a coarser step no longer has stays, and is said once', () => {
  const { lines, changes } = reconcile(holding(0.25), [product('a', { step: 0.5 })])
  assert.deepEqual([lines[0]?.quantity, lines[0]?.step], [0.25, 0.5])
  assert.deepEqual(changes.map(cartChangeText), [
    'Fish a is now sold in steps of 500 g: please change your 250 g.',
  ])
  assert.deepEqual(reconcile(lines, [product('a', { step: 0.5 })]).changes, [])
  assert.deepEqual(
    reconcile(lines, [product('a')]).lines[0]?.quantity,
    0.25,
    'and is whole again with the old step',
  )
})

test('a changed price, discount and unit are adopted and reported', () => {
  const { lines, changes } = reconcile(holding(1), [product('a', { price: 20, discount: 5, unit: 'each' })])
  assert.deepEqual([lines[0]?.priceCents, lines[0]?.discount, lines[0]?.unit], [2000, 5, 'each'])
  assert.deepEqual(
    changes.map((change) => [change.kind, 'from' in change ? [change.from, change.to] : []]),
    [
      ['unit', ['kg', 'each']],
      ['discount', [0, 5]],
    ],
  )
  assert.equal(
    changes[0] && cartChangeText(changes[0]),
    'Fish a is now $20.00/each, not $12.50/kg: you have 1 piece in your cart.',
  )
  const [dearer] = reconcile(holding(1), [product('a', { price: 20 })]).changes
  assert.equal(dearer && cartChangeText(dearer), 'The price of Fish a went from $12.50 to $20.00.')
})

test('a weight stays that weight in another unit, and what no scale converts is said as it stands', () => {
  const byHundred = product('a', { unit: '100g', stock: 500 })
  const { lines, changes } = reconcile(holding(2), [byHundred])
  assert.deepEqual([lines[0]?.quantity, lines[0]?.unit], [20, '100g'])
  assert.deepEqual(changes.map(cartChangeText), [
    'Fish a is now $12.50/100g, not $12.50/kg: you have 2 kg in your cart.',
  ])
  assert.deepEqual(reconcile(lines, [product('a')]).lines[0]?.quantity, 2, 'and back')
  assert.deepEqual(reconcile(holding(0.25), [byHundred]).changes.map(cartChangeText), [
    'Fish a is now $12.50/100g, not $12.50/kg: you have 250 g in your cart.',
    'Fish a is now sold in steps of 100 g: please change your 250 g.',
  ])
  assert.deepEqual(
    reconcile(holding(2), [product('a', { unit: '100g', stock: 5 })]).changes.map(cartChangeText),
    [
      'Only 500 g left of Fish a: your 2 kg became 500 g.',
      'Fish a is now $12.50/100g, not $12.50/kg: you have 500 g in your cart.',
    ],
  )
  assert.deepEqual(reconcile(holding(2), [product('a', { unit: 'bag' })]).changes.map(cartChangeText), [
    'Fish a is now $12.50/bag, not $12.50/kg: you have 2 × bag in your cart.',
  ])
})

test('an order that is refused for its unit leaves the weight in the cart as it was', () => {
  const now = { product_id: 'a', price: cents(125), discount: 0, unit: '100g' }
  const { lines, changes } = repriced(holding(2), [now])
  assert.deepEqual([lines[0]?.quantity, lines[0]?.unit], [20, '100g'])
  assert.deepEqual(lines[0]?.stock, 10 * (holding(2)[0]?.stock ?? 0), 'so is what there is of it')
  assert.deepEqual(changes.map(cartChangeText), [
    'Fish a is now $1.25/100g, not $12.50/kg: you have 2 kg in your cart.',
  ])
})

test('a new title or image is adopted without a message', () => {
  const { lines, changes } = reconcile(holding(1), [
    product('a', { title: 'Snapper', imagePaths: ['b.webp'] }),
  ])
  assert.deepEqual([lines[0]?.title, lines[0]?.imagePaths, changes], ['Snapper', ['b.webp'], []])
})

test('every change has a message that names the product', () => {
  const { changes } = reconcile(holding(9), [product('a', { stock: 1, price: 1, discount: 2, unit: 'each' })])
  assert.equal(changes.length, 3)
  for (const change of [...changes, ...reconcile(holding(1), []).changes])
    assert.match(cartChangeText(change), /Fish a.*\.$/)
})

test('a reconciled cart needs no further change, and never exceeds the stock', () => {
  fc.assert(
    fc.property(products, products, fc.array(fc.integer({ min: 1, max: 150 })), (before, after, wanted) => {
      const cart = before.reduce<Cart>(
        (now, item, i) => setQuantity(addToCart(now, item), item._id, wanted[i] ?? 1),
        [],
      )
      const { lines } = reconcile(cart, after)
      for (const line of lines) assert.ok(line.quantity >= 1 && line.quantity <= line.stock)
      assert.deepEqual(reconcile(lines, after), { lines, changes: [] })
    }),
  )
})

test('the prices with which an order was refused are taken over and told; other lines stay', () => {
  const cart = addToCart(holding(2), product('b'))
  const { lines, changes } = repriced(cart, [
    { product_id: 'a', price: cents(1_500), discount: 10, unit: 'kg' },
    { product_id: 'gone', price: cents(1), discount: 0, unit: 'kg' },
  ])
  assert.deepEqual(
    lines.map(({ _id, priceCents, discount, quantity }) => [_id, priceCents, discount, quantity]),
    [
      ['a', 1_500, 10, 2],
      ['b', 1_250, 0, 1],
    ],
  )
  assert.deepEqual(changes.map(cartChangeText), [
    'The price of Fish a went from $12.50 to $15.00.',
    'The discount on Fish a went from 0% to 10%.',
  ])
})
