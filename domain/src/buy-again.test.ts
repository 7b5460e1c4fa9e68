import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyAgain, notAgainText } from './buy-again.ts'
import { MAX_CART_LINES } from './cart.ts'
import { addToCart, lineOf } from './change-cart.ts'
import { product } from './testing/products.ts'

const ordered = (id: string, quantity: number) => ({
  product_id: id,
  title: `Fish ${id}`,
  unit: 'kg',
  quantity,
})

test('what is still there is added at today’s price, and what is not is said', () => {
  const inCart = addToCart([], product('full', { stock: 2 }), 2)
  const onSale = [
    product('a', { price: 20 }),
    product('b', { stock: 3 }),
    product('none', { stock: 0 }),
    product('full', { stock: 2 }),
  ]
  const lines = [ordered('a', 2), ordered('b', 5), ordered('none', 1), ordered('gone', 1), ordered('full', 1)]
  const { cart, missed } = buyAgain(inCart, lines, onSale)
  assert.deepEqual(
    cart.map(({ _id, quantity, priceCents }) => [_id, quantity, priceCents]),
    [
      ['full', 2, 1_250],
      ['a', 2, 2_000],
      ['b', 3, 1_250],
    ],
  )
  assert.deepEqual(missed.map(notAgainText), [
    'Only 3 kg of 5 kg of Fish b could be added: that is all there is.',
    'Fish none is out of stock.',
    'Fish gone is no longer on sale.',
    'All there is of Fish full is in your cart already.',
  ])
})

test('an amount that is not sold any more is added up to the step below, and said', () => {
  const lines = [ordered('a', 0.75), ordered('b', 0.25)]
  const { cart, missed } = buyAgain([], lines, [product('a', { step: 0.5 }), product('b', { step: 1 })])
  assert.deepEqual(
    cart.map(({ _id, quantity }) => [_id, quantity]),
    [['a', 0.5]],
  )
  assert.deepEqual(missed.map(notAgainText), [
    'Of your 750 g of Fish a, 500 g was added: it is sold in other steps now.',
    'Fish b is not sold as 250 g any more.',
  ])
})

test('a weight is bought again in what it is sold by now, and no bags for kilograms', () => {
  const onSale = [product('a', { unit: '100g', stock: 500 }), product('b', { unit: 'bag' })]
  const { cart, missed } = buyAgain([], [ordered('a', 2), ordered('b', 2)], onSale)
  assert.deepEqual(
    cart.map(({ _id, quantity, unit }) => [_id, quantity, unit]),
    [['a', 20, '100g']],
  )
  assert.deepEqual(missed.map(notAgainText), [
    'Fish b is now sold per bag, not per kg: please choose how much you want.',
  ])
})

test('a full cart takes no new line', () => {
  const cart = Array.from({ length: MAX_CART_LINES }, (_, i) => lineOf(product(`p${i}`), 1))
  const { missed } = buyAgain(cart, [ordered('a', 1)], [product('a')])
  assert.deepEqual(missed.map(notAgainText), ['Fish a did not fit: your cart is full.'])
})
