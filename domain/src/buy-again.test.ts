import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyAgain, notAgainText } from './buy-again.ts'
import { MAX_CART_LINES } from './cart.ts'
import { addToCart, lineOf } from './change-cart.ts'
import { product } from './testing/products.ts'

const ordered = (id: string, quantity: number) => ({ product_id: id, title: `Fish ${id}`, quantity })

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
    'Only 3 of 5 of Fish b could be added: that is all there is.',
    'Fish none is out of stock.',
    'Fish gone is no longer on sale.',
    'All there is of Fish full is in your cart already.',
  ])
})

test('a full cart takes no new line', () => {
  const cart = Array.from({ length: MAX_CART_LINES }, (_, i) => lineOf(product(`p${i}`), 1))
  const { missed } = buyAgain(cart, [ordered('a', 1)], [product('a')])
  assert.deepEqual(missed.map(notAgainText), ['Fish a did not fit: your cart is full.'])
})
