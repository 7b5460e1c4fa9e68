import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Cart } from './cart.ts'
import { readCart, writeCart } from './cart.ts'
import { addToCart } from './change-cart.ts'
import { product, products } from './testing/products.ts'

test('a stored cart is read as it was written', () => {
  fc.assert(
    fc.property(products, (shelf) => {
      const cart = shelf.reduce<Cart>((now, one) => addToCart(now, one), [])
      assert.deepEqual(readCart(writeCart(cart)), { cart, setAside: null })
    }),
  )
})

test('a stored line has the fields of the specification, its price in dollars; one in cents from before is read', () => {
  const cart = addToCart([], product('a'))
  const [line] = JSON.parse(writeCart(cart)).lines
  const named = [
    '_id',
    'title',
    'imagePaths',
    'price',
    'includeGST',
    'unit',
    'shelfPos',
    'status',
    'description',
  ]
  assert.deepEqual(Object.keys(line).sort(), [...named, 'quantity', 'discount', 'stock'].sort())
  assert.equal(line.price, (cart[0]?.priceCents ?? 0) / 100)
  assert.deepEqual(readCart(JSON.stringify({ v: 1, lines: cart })), { cart, setAside: null })
})

test('a part of a kilogram and a step of its own are read as they were written; the usual step is not written', () => {
  for (const over of [{}, { step: 0.25 }, { step: 0.1 }, { stock: 0.5 }]) {
    const cart = addToCart([], product('a', over), 0.5)
    assert.deepEqual(readCart(writeCart(cart)), { cart, setAside: null })
    assert.equal(writeCart(cart).includes('"step"'), over.step === 0.1)
  }
})

test('nothing stored is an empty cart', () => {
  assert.deepEqual(readCart(null), { cart: [], setAside: null })
})

test('a damaged or foreign value is quarantined whole and gives an empty cart', () => {
  const good = JSON.parse(writeCart(addToCart([], product('a'))))
  const [line] = good.lines
  const bad: unknown[] = [
    [],
    'cart',
    { ...good, v: 2 },
    { v: 1 },
    { v: 1, lines: { 0: line } },
    { v: 1, lines: [{ ...line, quantity: 0 }] },
    ...[1.0005, 0.0001, -1, 1e9, '1,5', '1.5', null].map((quantity) => ({
      v: 1,
      lines: [{ ...line, quantity }],
    })),
    { v: 1, lines: [{ ...line, step: 0.3 }] },
    { v: 1, lines: [{ ...line, stock: 1.0005 }] },
    { v: 1, lines: [{ ...line, price: '12.50' }] },
    { v: 1, lines: [{ ...line, price: -1 }] },
    { v: 1, lines: [{ ...line, price: 0.001 }] },
    { v: 1, lines: [{ ...line, status: 'SOLD' }] },
    { v: 1, lines: [{ ...line, _id: 'a\ud800' }] },
  ]
  for (const stored of ['', '{', 'null', ...bad.map((value) => JSON.stringify(value))])
    assert.deepEqual(readCart(stored), { cart: [], setAside: stored }, stored.slice(0, 80))
})

test('of a partly readable text every readable line is kept, and the text is quarantined', () => {
  const cart = addToCart(addToCart([], product('a')), product('b'))
  const { lines } = JSON.parse(writeCart(cart))
  const [a, b] = lines
  for (const partly of [
    [a, { ...b, _id: 'c', quantity: 0 }, b],
    [null, a, 'line', b, b],
    [a, b, { ...a, quantity: 3 }, { ...b, more: 1 }],
  ]) {
    const stored = JSON.stringify({ v: 1, lines: partly })
    assert.deepEqual(readCart(stored), { cart, setAside: stored })
  }
  assert.deepEqual(readCart(JSON.stringify({ v: 1, lines, more: 1 })), { cart, setAside: null })
})

test('a stored cart with more lines than can be added today keeps every one', () => {
  const [line] = addToCart([], product('a'))
  const many = Array.from({ length: 1_000 }, (_, i) => ({ ...line, _id: `p${i}` }))
  const stored = JSON.stringify({ v: 1, lines: many })
  assert.deepEqual(readCart(stored), { cart: many, setAside: null })
})

test('no stored text makes reading throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.deepEqual(readCart(text).cart, [])),
  )
})
