import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountOf } from './amount.ts'
import { boughtText, unitsText } from './labelling.ts'
import { type Cents, cents, priceOf } from './money.ts'
import { HoldInput } from './order.ts'
import { downTo, inUnit, isQuantity, plus, stepOf, typedQuantity } from './quantity.ts'

const thousandth = fc.integer({ min: 0, max: 1_000_000_000 }).map((units) => units / 1_000)

test('a weight is another number in another unit; what is counted is not converted', () => {
  for (const [quantity, from, to, want] of [
    [2, 'kg', '100g', 20],
    [20, '100 g', 'kg', 2],
    [0.25, 'kg', 'g', 250],
    [250, 'g', 'kg', 0.25],
    [0.25, 'kg', '100g', 2.5],
    [3, 'bag', 'bag', 3],
    [2, 'kg', 'bag', null],
    [2, 'bag', 'kg', null],
    [2, 'bag', 'each', null],
    [1, 'dozen', 'each', null],
  ] as const)
    assert.equal(inUnit(quantity, from, to), want, `${quantity} ${from} in ${to}`)
})

test('what is sold by the kilogram has its own step, all else goes by one', () => {
  for (const [product, want] of [
    [{ unit: 'kg' }, 0.25],
    [{ unit: 'KG', step: 0.1 }, 0.1],
    [{ unit: '100 g', step: 0.1 }, 1],
    [{ unit: 'dozen', step: 0.5 }, 1],
  ] as const)
    assert.equal(stepOf(product), want)
})

test('sums of quantities are exact, in any order', () => {
  assert.equal(plus(0.1, 0.2), 0.3)
  assert.equal(plus(1, -0.9), 0.1)
  fc.assert(
    fc.property(thousandth, thousandth, (one, other) => {
      assert.equal(plus(plus(one, other), -other), one)
      assert.equal(plus(one, other), Number(plus(one, other).toFixed(3)))
    }),
  )
})

test('a quantity is cut to its step, and what is a multiple stays', () => {
  assert.deepEqual([downTo(0.1, 0.3), downTo(0.25, 0.9), downTo(0.5, 0.49), downTo(1, 7)], [0.3, 0.75, 0, 7])
  fc.assert(
    fc.property(fc.constantFrom(0.1, 0.25, 0.5, 1), thousandth, (step, quantity) => {
      const cut = downTo(step, quantity)
      assert.ok(cut <= quantity && plus(cut, step) > quantity)
      assert.equal(downTo(step, cut), cut)
    }),
  )
})

test('a typed amount is a multiple of the step, with a point; all else is refused', () => {
  for (const [typed, step, want] of [
    ['0.5', 0.25, 0.5],
    [' .75 ', 0.25, 0.75],
    ['0.3', 0.1, 0.3],
    ['12', 1, 12],
    ['0', 0.25, 0],
    ['0.3', 0.25, null],
    ['0.5', 1, null],
    ['1,5', 0.25, null],
    ['0.0001', 0.1, null],
    ['-1', 1, null],
    ['1e9', 1, null],
    ['NaN', 1, null],
    ['', 1, null],
    ['two', 1, null],
  ] as const)
    assert.equal(typedQuantity(typed, step), want, typed)
})

test('what is no quantity is refused by name, in holds as in orders', () => {
  for (const [quantity, why] of [
    [0.0001, 'quantity must have at most three decimals'],
    [0, 'quantity must be more than 0'],
    [-1, 'quantity must be more than 0'],
    [1e9, 'quantity must be at most 1000000'],
    [Number.NaN, 'quantity must be a number'],
    ['1,5', 'quantity: write a point, as in 1.5 for one and a half'],
    ['1.5', 'quantity must be a number'],
    [null, 'quantity must be a number'],
  ] as const) {
    assert.equal(isQuantity(quantity), false)
    const { error } = HoldInput.safeParse({ lines: [{ product_id: 'a', quantity }] })
    assert.deepEqual(error?.issues[0]?.message, why)
    assert.deepEqual(error?.issues[0]?.path, ['lines', 0, 'quantity'])
  }
  assert.equal(HoldInput.safeParse({ lines: [{ product_id: 'a', quantity: 0.25 }] }).success, true)
})

test('the price of a quantity rounds half up to a cent, once', () => {
  for (const [price, quantity, want] of [
    [3_800, 0.5, 1_900],
    [1_999, 0.25, 500],
    [1_010, 0.25, 253],
    [1, 0.5, 1],
    [1, 0.499, 0],
    [10_000_000, 1_000_000, 10_000_000_000_000],
  ] as const)
    assert.equal(priceOf(cents(price), quantity), want)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), thousandth, (price, quantity) => {
      const exact = BigInt(price) * BigInt(Math.round(quantity * 1_000))
      assert.equal(BigInt(priceOf(price as Cents, quantity)), (exact * 2n + 1_000n) / 2_000n)
    }),
  )
})

test('amounts are said as people say them', () => {
  for (const [quantity, unit, want] of [
    [0.5, 'kg', '500 g'],
    [1.25, 'kg', '1.25 kg'],
    [3, 'kg', '3 kg'],
    [2, '100g', '200 g'],
    [1, 'each', '1 piece'],
    [2, 'each', '2 pieces'],
    [3, 'dozen', '3 dozen'],
    [1, 'bag', '1 bag'],
    [2, 'bag', '2 × bag'],
  ] as const) {
    assert.equal(unitsText(quantity, unit), want)
    assert.equal(boughtText(amountOf(unit, quantity), unit), want)
  }
})
