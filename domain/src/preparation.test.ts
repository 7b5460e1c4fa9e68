import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Amount, amount } from './amount.ts'
import { buyAgain, notAgainText } from './buy-again.ts'
import { type Cart, lineKey, readCart, writeCart } from './cart.ts'
import { cartChangeText, reconcile, repriced } from './cart-reconcile.ts'
import {
  addToCart,
  increase,
  prepareAs,
  putBack,
  removeFromCart,
  setQuantity,
  unmerged,
  withoutOrdered,
} from './change-cart.ts'
import { cents } from './money.ts'
import { OrderedLines } from './order.ts'
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

test('a product in the cart costs with its preparation, under its discount', () => {
  const cart = addToCart([], snapper({ discount: 10 }), 0.5, 'skin-off')
  assert.deepEqual(inCart(cart), [[0.5, 3_400, 'skin-off']])
  const [line] = cart
  assert.ok(line)
  assert.equal(lineTotals(line).total, 1_530)
  assert.deepEqual(inCart(addToCart(cart, snapper())), [[1.5, 3_400, 'skin-off']], 'as it is in the cart')
  const both = addToCart(cart, snapper(), 1, 'gutted')
  assert.deepEqual(inCart(both), [
    [0.5, 3_400, 'skin-off'],
    [1, 3_200, 'gutted'],
  ])
  assert.deepEqual(inCart(addToCart(both, snapper()))[1], [2, 3_200, 'gutted'], 'as what was added last')
  assert.deepEqual(inCart(addToCart(both, snapper(), 1, 'skin-off'))[0], [1.5, 3_400, 'skin-off'])
  assert.deepEqual(inCart(addToCart(cart, snapper(), 1, 'whole'))[1], [1, 3_000, undefined])
  assert.deepEqual(inCart(addToCart([], snapper(), 1, 'skin-on')), [[1, 3_000, undefined]], 'is not offered')
  assert.deepEqual(inCart(prepareAs(cart, 's skin-off', snapper(), 'gutted')), [[0.5, 3_200, 'gutted']])
  assert.deepEqual(inCart(increase(cart, 's skin-off')), [[0.75, 3_400, 'skin-off']])
  assert.equal(increase(cart, 's')[0]?.quantity, 0.5, 'of what is whole there is nothing')
})

/** 2 kg whole, another product, 1 kg as fillets. */
const three = () =>
  addToCart(addToCart(addToCart([], snapper(), 2, 'whole'), product('b')), snapper(), 1, 'skin-off')
const shown = (cart: Cart) => cart.map((line) => `${lineKey(line)} ${line.quantity}`).join(', ')

test('a line that is prepared like another goes into it, and comes out again as far as it is there', () => {
  const cart = three()
  assert.equal(shown(cart), 's 2, b 1, s skin-off 1')
  const fillets3 = prepareAs(cart, 's', snapper(), 'skin-off')
  assert.equal(shown(fillets3), 'b 1, s skin-off 3')
  assert.equal(fillets3[1]?.priceCents, 3_400)
  assert.deepEqual(unmerged(fillets3, cart, 's', 's skin-off'), cart)
  const whole3 = prepareAs(cart, 's skin-off', snapper(), 'whole')
  assert.equal(shown(whole3), 's 3, b 1')
  assert.deepEqual(unmerged(whole3, cart, 's skin-off', 's'), cart)
  const grown = addToCart(increase(whole3, 's'), product('c'))
  assert.equal(shown(unmerged(grown, cart, 's skin-off', 's')), 's 2.25, b 1, s skin-off 1, c 1')
  const shrunk = setQuantity(whole3, 's', 0.5)
  assert.equal(shown(unmerged(shrunk, cart, 's skin-off', 's')), 'b 1, s skin-off 0.5')
  assert.deepEqual(
    unmerged(removeFromCart(whole3, 's'), cart, 's skin-off', 's'),
    [cart[1]],
    'it was removed',
  )
  const again = addToCart(whole3, snapper(), 1, 'skin-off')
  assert.equal(unmerged(again, cart, 's skin-off', 's'), again, 'it is there again')
})

test('the lines of a product share its stock, and each is removed, ordered and put back by itself', () => {
  const few = snapper({ stock: 3.5 })
  const cart = addToCart(addToCart([], few, 2, 'whole'), few, 1, 'skin-off')
  assert.equal(shown(addToCart(cart, few, 1, 'skin-off')), 's 2, s skin-off 1.5')
  assert.equal(shown(setQuantity(cart, 's', 9)), 's 2.5, s skin-off 1')
  const full = increase(increase(increase(cart, 's'), 's'), 's')
  assert.equal(shown(full), 's 2.5, s skin-off 1')
  assert.equal(addToCart(full, few, 1, 'gutted'), full)
  const one = removeFromCart(cart, 's')
  assert.equal(shown(one), 's skin-off 1')
  assert.deepEqual(putBack(one, cart, new Set(['s'])), cart)
  assert.equal(shown(putBack(setQuantity(one, 's skin-off', 3), cart, new Set(['s']))), 's 0.5, s skin-off 3')
  assert.deepEqual(putBack(setQuantity(one, 's skin-off', 3.5), cart, new Set(['s'])).length, 1)
  assert.equal(shown(withoutOrdered(cart, [{ product_id: 's', quantity: 1.5 }])), 's 0.5, s skin-off 1')
  const fillet = { product_id: 's', quantity: 1, preparation: 'skin-off' } as const
  assert.equal(shown(withoutOrdered(cart, [fillet])), 's 2')
  const less = reconcile(cart, [snapper({ stock: 2.5 })], asked)
  assert.equal(shown(less.lines), 's 2, s skin-off 0.5')
  assert.deepEqual(less.changes.map(cartChangeText), [
    'Only 500 g left of Fish s (fillets, skin off): your 1 kg became 500 g.',
  ])
  const none = reconcile(cart, [snapper({ stock: 1 })], asked)
  assert.equal(shown(none.lines), 's 1')
  assert.equal(
    none.changes.map(cartChangeText)[1],
    'Fish s (fillets, skin off) was taken out of your cart: all there is of it is in your cart otherwise prepared.',
  )
})

test('a cart with a product in two preparations is stored, and one of before, in which each is once, is read', () => {
  const cart = three()
  assert.deepEqual(readCart(writeCart(cart)), { cart, setAside: null })
  const once = cart.slice(1)
  assert.deepEqual(readCart(writeCart(once)), { cart: once, setAside: null })
  const { lines, more } = JSON.parse(writeCart(cart))
  assert.deepEqual([lines.length, more.length], [2, 1], 'a shop of before reads lines of a product each')
  assert.deepEqual(
    readCart(JSON.stringify({ v: 1, lines })).cart,
    cart.slice(0, 2),
    'and may write only these',
  )
  const doubled = JSON.stringify({ v: 1, lines: [...lines, lines[0]], more })
  assert.deepEqual(readCart(doubled), { cart, setAside: doubled })
  for (const wrong of [[7], [null], [{ at: -1 }], [{ at: 0, line: { _id: 's' } }]]) {
    const stored = JSON.stringify({ v: 1, lines, more: wrong })
    assert.deepEqual(readCart(stored), { cart: cart.slice(0, 2), setAside: stored }, stored)
  }
})

test('what becomes whole goes into what is whole, whichever stands first', () => {
  for (const cart of [three(), three().toReversed()]) {
    const gone = reconcile(cart, [snapper({ preparations: [gutted] }), product('b')], new Set(['s', 'b']))
    assert.equal(shown(gone.lines.toSorted((a, b) => (a._id < b._id ? -1 : 1))), 'b 1, s 3')
    assert.deepEqual(
      gone.changes.map(({ kind }) => kind),
      ['whole'],
    )
    const price = { product_id: 's', price: cents(3_000), discount: 0, unit: 'kg' }
    const now = repriced(cart, [price, { ...price, was: 'skin-off' }])
    assert.equal(shown(now.lines.toSorted((a, b) => (a._id < b._id ? -1 : 1))), 'b 1, s 3')
  }
})

test('an order names a product once for each preparation; twice is refused with its place', () => {
  const line = { product_id: 's', quantity: 1 }
  const fillet = { ...line, preparation: 'skin-off' }
  assert.ok(OrderedLines.safeParse([line, fillet, { ...line, product_id: 'b' }]).success)
  for (const lines of [
    [fillet, line, fillet],
    [line, fillet, line],
  ])
    assert.deepEqual(OrderedLines.safeParse(lines).error?.issues[0]?.path, [2])
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
  const whole = { product_id: 's', price: cents(3_000), discount: 0, unit: 'kg' }
  const now = { ...whole, was: 'skin-off' as const }
  assert.deepEqual(repriced(cart, [whole]).lines, cart, 'it is of another line')
  assert.deepEqual(inCart(repriced(cart, [now]).lines), [[1, 3_000, undefined]])
  const told = (unit: string) => repriced(cart, [{ ...now, unit }]).changes.map(({ kind }) => kind)
  assert.deepEqual([told('kg'), told('bag')], [['whole'], ['whole', 'unit']])
  const dearer = { ...whole, price: cents(3_500), preparation: 'skin-off' as const }
  assert.deepEqual(inCart(repriced(cart, [dearer]).lines), [[1, 3_500, 'skin-off']])
})

test('what is bought again is prepared as it was, where it is offered, beside what is in the cart otherwise', () => {
  const whole = { product_id: 's', title: 'Snapper', unit: 'kg', quantity: 2 }
  const before = [{ ...whole, quantity: 1, preparation: fillets }]
  const again = buyAgain([], before, [snapper()])
  assert.deepEqual([inCart(again.cart), again.missed], [[[1, 3_400, 'skin-off']], []])
  const gone = buyAgain([], before, [snapper({ preparations: [] })])
  assert.deepEqual(inCart(gone.cart), [[1, 3_000, undefined]])
  const text = 'Snapper is in your cart as “Whole”, not as “Fillets, skin off”.'
  assert.deepEqual(gone.missed.map(notAgainText), [text])
  const other = buyAgain(addToCart([], snapper(), 1, 'gutted'), before, [snapper()])
  assert.deepEqual([shown(other.cart), other.missed], ['s gutted 1, s skin-off 1', []])
  const two = buyAgain([], [...before, whole], [snapper()])
  assert.deepEqual([shown(two.cart), two.missed], ['s skin-off 1, s 2', []])
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
