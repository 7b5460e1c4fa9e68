import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Amount, amount } from './amount.ts'
import { buyAgain, notAgainText } from './buy-again.ts'
import { type Cart, readCart, writeCart } from './cart.ts'
import { cartChangeText, reconcile, repriced } from './cart-reconcile.ts'
import { addToCart, increase, prepareAs } from './change-cart.ts'
import { cents } from './money.ts'
import { lineTotals } from './order-totals.ts'
import { pickingList } from './packing.ts'
import {
  type Preparation,
  preparationsError,
  preparationsText,
  preparedTitle,
  preparedToday,
  yieldText,
} from './preparation.ts'
import { Preparations } from './product-fields.ts'
import { product } from './testing/products.ts'

const gutted: Preparation = { kind: 'gutted', yieldPercent: 85, feeCents: 200 }
const fillets: Preparation = { kind: 'skin-off', yieldPercent: 45, feeCents: 400 }
const snapper = (over = {}) => product('s', { price: 30, preparations: [gutted, fillets], ...over })
const inCart = (cart: Cart) =>
  cart.map(({ quantity, priceCents, preparation }) => [quantity, priceCents, preparation])
const asked = new Set(['s'])

test('a product in the cart costs with its preparation, all of it alike, under its discount', () => {
  const cart = addToCart([], snapper({ discount: 10 }), 0.5, 'skin-off')
  assert.deepEqual(inCart(cart), [[0.5, 3_400, 'skin-off']])
  const [line] = cart
  assert.ok(line)
  assert.equal(lineTotals(line).total, 1_530)
  assert.deepEqual(inCart(addToCart(cart, snapper())), [[1.5, 3_400, 'skin-off']], 'as it is in the cart')
  assert.deepEqual(inCart(addToCart(cart, snapper(), 1, 'gutted')), [[1.5, 3_200, 'gutted']])
  assert.deepEqual(inCart(addToCart(cart, snapper(), 1, 'whole')), [[1.5, 3_000, undefined]])
  assert.deepEqual(inCart(addToCart([], snapper(), 1, 'skin-on')), [[1, 3_000, undefined]], 'is not offered')
  assert.deepEqual(inCart(prepareAs(cart, snapper(), 'gutted')), [[0.5, 3_200, 'gutted']])
  assert.deepEqual(inCart(increase(cart, 's')), [[0.75, 3_400, 'skin-off']])
})

test('a stored cart keeps what is done to a line; what nobody can do is no line', () => {
  const cart = addToCart([], snapper(), 1, 'skin-off')
  assert.deepEqual(readCart(writeCart(cart)), { cart, setAside: null })
  assert.equal('preparation' in (addToCart([], snapper())[0] ?? {}), false)
  for (const wrong of ['whole', 'minced', '', null, 1, ['gutted']]) {
    const stored = writeCart(cart).replace('"skin-off"', JSON.stringify(wrong))
    assert.deepEqual(readCart(stored), { cart: [], setAside: stored }, String(wrong))
  }
  const dear = addToCart(
    [],
    snapper({ price: 100_000, preparations: [{ ...gutted, feeCents: 100_000 }] }),
    1,
    'gutted',
  )
  assert.equal(readCart(writeCart(dear)).cart.length, 1, 'the highest price with the highest fee')
})

test('what is not offered any more becomes whole and is said; another fee is another price', () => {
  const cart = addToCart([], snapper(), 1, 'skin-off')
  const gone = reconcile(cart, [snapper({ preparations: [gutted] })], asked)
  assert.deepEqual(inCart(gone.lines), [[1, 3_000, undefined]])
  assert.deepEqual(gone.changes.map(cartChangeText), [
    'Fish s is no longer sold as “Fillets, skin off”: in your cart it is whole now, at $30.00/kg.',
  ])
  const dearer = reconcile(cart, [snapper({ preparations: [{ ...fillets, feeCents: 450 }] })], asked)
  assert.deepEqual(dearer.changes.map(cartChangeText), [
    'The price of Fish s (fillets, skin off) went from $34.00 to $34.50.',
  ])
  assert.deepEqual(reconcile(cart, [snapper()], asked), { lines: cart, changes: [] })
})

test('an order that is refused for its prices says whether it is prepared still', () => {
  const cart = addToCart([], snapper(), 1, 'skin-off')
  const now = { product_id: 's', price: cents(3_000), discount: 0, unit: 'kg' }
  assert.deepEqual(inCart(repriced(cart, [now]).lines), [[1, 3_000, undefined]])
  assert.deepEqual(
    repriced(cart, [now]).changes.map(({ kind }) => kind),
    ['whole'],
  )
  const dearer = { ...now, price: cents(3_500), preparation: 'skin-off' as const }
  assert.deepEqual(inCart(repriced(cart, [dearer]).lines), [[1, 3_500, 'skin-off']])
})

test('what is bought again is prepared as it was, where it is offered and not in the cart otherwise', () => {
  const before = [{ product_id: 's', title: 'Snapper', quantity: 1, preparation: fillets }]
  const again = buyAgain([], before, [snapper()])
  assert.deepEqual([inCart(again.cart), again.missed], [[[1, 3_400, 'skin-off']], []])
  const gone = buyAgain([], before, [snapper({ preparations: [] })])
  assert.deepEqual(inCart(gone.cart), [[1, 3_000, undefined]])
  assert.deepEqual(gone.missed.map(notAgainText), [
    'Snapper is in your cart as “Whole”, not as “Fillets, skin off”.',
  ])
  const other = buyAgain(addToCart([], snapper(), 1, 'gutted'), before, [snapper()])
  assert.deepEqual(inCart(other.cart), [[2, 3_200, 'gutted']])
  assert.deepEqual(other.missed.map(notAgainText), [
    'Snapper is in your cart as “Gilled and gutted”, not as “Fillets, skin off”.',
  ])
})

test('what is to be fetched is summed by what is done to it, and no box gives twice', () => {
  const grams = (value: number): Amount => amount(value, 'grams')
  const of = (value: number, preparation?: string) => ({
    product_id: 's',
    title: 'S',
    unit: 'kg',
    amount: grams(value),
    preparation,
  })
  const boxes = [
    { product_id: 's', boxID: 'A', left: grams(3_500) },
    { product_id: 's', boxID: 'B', left: grams(1_000) },
  ]
  const list = pickingList([of(2_000, 'gutted'), of(2_000, 'skin-off'), of(1_000, 'gutted'), of(500)], boxes)
  assert.deepEqual(
    list.map(({ preparation, amount, lines, from, short }) => [
      preparation,
      amount.value,
      lines,
      from.map(({ boxID, amount }) => `${boxID} ${amount.value}`),
      short.value,
    ]),
    [
      ['gutted', 3_000, 2, ['A 3000'], 0],
      ['skin-off', 2_000, 1, ['A 500', 'B 1000'], 500],
      [undefined, 500, 1, [], 500],
    ],
  )
  assert.equal(boxes[0]?.left.value, 3_500, 'what was given stays as it is')
})

test('preparations are read from text as from a list, and written so that they are read the same', () => {
  const both = [gutted, fillets]
  assert.equal(preparationsText(both), 'gutted 85% 2.00, skin-off 45% 4.00')
  for (const typed of [both, both.toReversed(), preparationsText(both), 'skin-off 45 4, gutted 85 % $2'])
    assert.deepEqual(Preparations.parse(typed), both)
  assert.deepEqual(Preparations.parse(''), [])
  for (const [typed, path] of [
    ['minced 85% 2.00', [0, 'kind']],
    ['gutted', [0]],
    ['gutted 85% 2.00, skin-on 0% 1', [1, 'yieldPercent']],
    ['gutted 101% 2', [0, 'yieldPercent']],
    ['gutted 85.5% 2', [0, 'yieldPercent']],
    ['gutted 85% 2.005', [0, 'feeCents']],
    ['gutted 85% 1000.01', [0, 'feeCents']],
    ['gutted 85% 2, gutted 80% 1', []],
    [[{ ...gutted, feeCents: -1 }], [0, 'feeCents']],
    [[{ ...gutted, more: 1 }], [0]],
    [7, []],
  ] as const)
    assert.deepEqual(Preparations.safeParse(typed).error?.issues[0]?.path, path, JSON.stringify(typed))
})

test('only what is bought as whole fish is prepared', () => {
  for (const [unit, isPrepared] of [
    ['kg', true],
    ['each', true],
    ['100g', false],
    ['dozen', false],
  ] as const) {
    assert.equal(preparationsError({ unit, preparations: [gutted] }) === null, isPrepared, unit)
    assert.equal(preparationsError({ unit, preparations: [] }), null)
  }
})

test('it is said as people say it, and what nobody knows is not said', () => {
  assert.equal(preparedTitle('Snapper', 'skin-off'), 'Snapper (fillets, skin off)')
  for (const kind of [undefined, 'whole', 'minced', 'toString'])
    assert.equal(preparedTitle('Snapper', kind), 'Snapper')
  assert.equal(yieldText('kg', 45), 'about 450 g of each kilogram')
  assert.equal(yieldText('each', 45), 'about 45% of its weight')
})

test('a line that gets more is prepared as agreed, at the fee of today where there is one', () => {
  const today = { ...fillets, feeCents: 300 }
  assert.deepEqual(preparedToday(snapper({ preparations: [today] }), fillets), today)
  assert.deepEqual(preparedToday(snapper({ preparations: [] }), fillets), fillets)
  assert.equal(preparedToday(snapper(), null), undefined)
})
