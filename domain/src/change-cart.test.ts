import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cart, type CartProduct, cartCount, lineKey, MAX_CART_LINES } from './cart.ts'
import {
  addToCart,
  type Chosen,
  decrease,
  increase,
  isOffStep,
  prepareAs,
  putBack,
  quantityOf,
  removeFromCart,
  setQuantity,
  withoutOrdered,
} from './change-cart.ts'
import { cents } from './money.ts'
import { cartTotals, lineTotals } from './order-totals.ts'
import { product, products } from './testing/products.ts'

const quantities = (cart: Cart): [string, number][] => cart.map((line) => [line._id, line.quantity])

test('a new product starts at 1, an existing line goes up by 1', () => {
  const once = addToCart([], product('a'))
  assert.deepEqual(quantities(once), [['a', 1]])
  assert.deepEqual(quantities(addToCart(once, product('a'))), [['a', 2]])
  assert.deepEqual(quantities(addToCart(once, product('b'))), [
    ['a', 1],
    ['b', 1],
  ])
})

test('what is added to a line of another unit is added as weight; two kilograms and a bag are not three', () => {
  const two = addToCart([], product('a', { unit: 'kg' }), 2)
  const [more] = addToCart(two, product('a', { unit: '100g', stock: 500 }), 3)
  assert.deepEqual([more?.quantity, more?.unit], [23, '100g'])
  const [bag] = addToCart(two, product('a', { unit: 'bag' }))
  assert.deepEqual([bag?.quantity, bag?.unit], [1, 'bag'])
  assert.deepEqual(
    ['kg', '100g', 'bag'].map((unit) => quantityOf(two, { _id: 'a', unit })),
    [2, 20, 0],
  )
})

test('adding keeps the price in cents and updates the other fields of the line', () => {
  const old = addToCart([], product('a', { price: 19.99, unit: 'kg' }))
  assert.equal(old[0]?.priceCents, 1999)
  const [line] = addToCart(old, product('a', { price: 18.5, unit: 'dozen', discount: 10 }))
  assert.deepEqual([line?.priceCents, line?.unit, line?.discount], [1850, 'dozen', 10])
})

test('nothing goes above stock, and nothing without stock is added', () => {
  const scarce = product('a', { stock: 2 })
  const cart = addToCart(addToCart(addToCart([], scarce), scarce), scarce)
  assert.deepEqual(quantities(cart), [['a', 2]])
  assert.deepEqual(quantities(increase(cart, 'a')), [['a', 2]])
  assert.deepEqual(quantities(setQuantity(cart, 'a', 9)), [['a', 2]])
  assert.deepEqual(addToCart([], product('b', { stock: 0 })), [])
})

test('several are added at once, to what is there, up to the stock', () => {
  const three = addToCart([], product('a', { stock: 5 }), 3)
  assert.deepEqual(quantities(three), [['a', 3]])
  assert.deepEqual(quantities(addToCart(three, product('a', { stock: 5 }), 4)), [['a', 5]])
  assert.deepEqual(addToCart([], product('a'), 0), [])
})

test('what is sold by the kilogram goes by its step, the usual one or its own', () => {
  const half = addToCart([], product('a'), 0.5)
  assert.deepEqual(quantities(increase(half, 'a')), [['a', 0.75]])
  assert.deepEqual(quantities(decrease(half, 'a')), [['a', 0.25]])
  assert.deepEqual(decrease(decrease(half, 'a'), 'a'), [])
  const tenth = addToCart(addToCart([], product('a', { step: 0.1 }), 0.1), product('a', { step: 0.1 }), 0.2)
  assert.deepEqual(quantities(tenth), [['a', 0.3]])
  assert.deepEqual(quantities(setQuantity(tenth, 'a', 1.77)), [['a', 1.7]])
  assert.equal(cartCount(tenth), 1)
  assert.deepEqual(withoutOrdered(tenth, [{ product_id: 'a', quantity: 0.2 }])[0]?.quantity, 0.1)
})

test('from an amount between two steps, plus and minus go to the next one', () => {
  const [line] = addToCart([], product('a', { step: 0.5 }), 0.5)
  const between = line ? [{ ...line, quantity: 0.75 }] : []
  assert.equal(isOffStep({ unit: 'kg', step: 0.5, quantity: 0.75 }), true)
  assert.deepEqual(quantities(increase(between, 'a')), [['a', 1]])
  assert.deepEqual(quantities(decrease(between, 'a')), [['a', 0.5]])
})

test('minus lowers by 1 and removes the line at 1', () => {
  const two = setQuantity(addToCart([], product('a', { unit: 'each' })), 'a', 2)
  const one = decrease(two, 'a')
  assert.deepEqual(quantities(one), [['a', 1]])
  assert.deepEqual(decrease(one, 'a'), [])
  assert.deepEqual(quantities(decrease(two, 'other')), [['a', 2]])
})

test('a typed quantity is cut to its steps; below 1 the line is removed; text that is no number changes nothing', () => {
  const cart = addToCart([], product('a'))
  assert.deepEqual(quantities(setQuantity(cart, 'a', 3.9)), [['a', 3.75]])
  assert.deepEqual(setQuantity(cart, 'a', 0), [])
  assert.deepEqual(setQuantity(cart, 'a', -4), [])
  assert.deepEqual(quantities(setQuantity(cart, 'a', Number.NaN)), [['a', 1]])
})

test('removing removes a whole line and leaves the others', () => {
  const cart = addToCart(setQuantity(addToCart([], product('a')), 'a', 5), product('b'))
  assert.deepEqual(quantities(removeFromCart(cart, 'a')), [['b', 1]])
})

test('totals match the specification, calculated by hand', () => {
  const cart = [
    { priceCents: 3333, discount: 10, quantity: 3, includeGST: false }, // 99.99 − 10 % = 89.991
    { priceCents: 1100, discount: 0, quantity: 2, includeGST: true }, // 22.00, of which 2.00 GST
    { priceCents: 1, discount: 50, quantity: 1, includeGST: true }, // 0.005 → 0.01
  ].map((line) => ({ ...product('x'), ...line, priceCents: cents(line.priceCents) }))
  assert.deepEqual(cartTotals(cart), { subtotal: 12200, savings: 1000, gst: 200, delivery: 0, total: 11200 })
})

type Step = (cart: Cart, shelf: readonly CartProduct[]) => Cart
const pick = (shelf: readonly CartProduct[], n: number): CartProduct =>
  shelf[n % shelf.length] ?? product('a')
const offering = (one: CartProduct): CartProduct => ({
  ...one,
  preparations: [{ kind: 'gutted', yieldPercent: 85, feeCents: 200 }],
})
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.nat(9).map(
    (n): Step =>
      (cart, shelf) =>
        addToCart(cart, pick(shelf, n)),
  ),
  fc.tuple(fc.nat(9), fc.constantFrom<Chosen>('whole', 'gutted')).map(
    ([n, chosen]): Step =>
      (cart, shelf) =>
        addToCart(cart, offering(pick(shelf, n)), 1, chosen),
  ),
  fc.tuple(fc.nat(9), fc.constantFrom<Chosen>('whole', 'gutted')).map(
    ([n, chosen]): Step =>
      (cart, shelf) => {
        const line = cart[n % (cart.length || 1)]
        const product = shelf.find(({ _id }) => _id === line?._id)
        return line && product ? prepareAs(cart, lineKey(line), offering(product), chosen) : cart
      },
  ),
  fc.nat(9).map(
    (n): Step =>
      (cart, shelf) =>
        increase(cart, pick(shelf, n)._id),
  ),
  fc.nat(9).map(
    (n): Step =>
      (cart, shelf) =>
        decrease(cart, pick(shelf, n)._id),
  ),
  fc.nat(9).map(
    (n): Step =>
      (cart, shelf) =>
        removeFromCart(cart, pick(shelf, n)._id),
  ),
  fc.tuple(fc.nat(9), fc.double({ min: -3, max: 200 })).map(
    ([n, q]): Step =>
      (cart, shelf) =>
        setQuantity(cart, pick(shelf, n)._id, q),
  ),
)

test('after any operations in any order: lines are one per product and preparation, in steps up to the stock, and sums agree', () => {
  fc.assert(
    fc.property(products, fc.array(step, { maxLength: 60 }), (shelf, steps) => {
      const cart = steps.reduce<Cart>((now, change) => change(now, shelf), [])
      assert.equal(new Set(cart.map(lineKey)).size, cart.length)
      for (const line of cart) assert.ok(quantityOf(cart, line) <= line.stock)
      for (const line of cart) assert.ok(line.quantity > 0 && line.quantity <= line.stock && !isOffStep(line))
      assert.equal(
        cartCount(cart),
        cart.reduce((sum, line) => sum + Math.ceil(line.quantity), 0),
      )
      const totals = cartTotals(cart)
      const lines = cart.map(lineTotals)
      for (const name of ['subtotal', 'savings', 'gst', 'total'] as const)
        assert.equal(
          totals[name],
          lines.reduce((sum, line) => sum + line[name], 0),
          name,
        )
      assert.equal(totals.total, totals.subtotal - totals.savings + totals.delivery)
      for (const amount of Object.values(totals)) assert.ok(Number.isSafeInteger(amount) && amount >= 0)
      assert.ok(totals.gst * 10 <= totals.total + 10 * cart.length)
    }),
  )
})

test('an operation never mutates its argument', () => {
  fc.assert(
    fc.property(products, fc.array(step, { maxLength: 20 }), step, (shelf, steps, last) => {
      const cart = steps.reduce<Cart>((now, change) => change(now, shelf), [])
      const before = structuredClone(cart)
      last(cart, shelf)
      assert.deepEqual(cart, before)
    }),
  )
})

test('a removed line is restored in its place, and nothing else changes', () => {
  const ids = (cart: Cart) => cart.map(({ _id, quantity }) => `${_id}${quantity}`).join(' ')
  const before = ['a', 'b', 'c', 'd'].reduce<Cart>((cart, id) => addToCart(cart, product(id)), [])
  const now = increase(addToCart(removeFromCart(removeFromCart(before, 'b'), 'a'), product('e')), 'c')
  assert.equal(ids(putBack(now, before, new Set(['b']))), 'b1 c1.25 d1 e1')
  assert.equal(ids(putBack(now, before, new Set(['a', 'b']))), 'a1 b1 c1.25 d1 e1')
  assert.equal(ids(putBack([], before, new Set(['a', 'b', 'c', 'd']))), 'a1 b1 c1 d1')
  const back = increase(addToCart(now, product('b')), 'b')
  assert.equal(ids(putBack(back, before, new Set(['b']))), 'c1.25 d1 e1 b1.25', 'it came back by itself')
})

test('the 501st product is rejected when it is added; one more of a product already in the cart is not', () => {
  const full = Array.from({ length: MAX_CART_LINES }, (_, i) => product(`p${i}`)).reduce<Cart>(
    (now, one) => addToCart(now, one),
    [],
  )
  assert.equal(full.length, 500)
  assert.equal(addToCart(full, product('one too many')), full)
  assert.equal(addToCart(full, product('p7'))[7]?.quantity, 2)
  assert.equal(addToCart(full.slice(1), product('one too many')).length, 500)
})

test('what was ordered leaves the cart, what was added meanwhile stays', () => {
  const cart = addToCart(addToCart(addToCart([], product('a'), 3), product('b')), product('c'), 2)
  const ordered = [
    { product_id: 'a', quantity: 2 },
    { product_id: 'b', quantity: 1 },
  ]
  assert.deepEqual(quantities(withoutOrdered(cart, ordered)), [
    ['a', 1],
    ['c', 2],
  ])
})
