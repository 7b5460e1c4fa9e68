import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_ORDER_GRAMS } from './limits.ts'
import { type Cents, cents, gstIncluded } from './money.ts'
import { invoiceTotals } from './order-documents.ts'
import {
  cartTotals,
  deliveryFee,
  deliveryTerms,
  feeText,
  lineTotals,
  missingGoods,
  mostCharged,
  orderedGrams,
  orderLineTotals,
  priceOfGrams,
  tooLittle,
} from './order-totals.ts'
import { gramsPerUnit } from './quantity.ts'

for (const [price, grams, unitGrams, want] of [
  [3_600, 450, 1_000, 1_620],
  [3_333, 1, 1_000, 3],
  [3_500, 1, 1_000, 4],
  [1, 499, 1_000, 0],
  [1, 500, 1_000, 1],
  [599, 250, 100, 1_498],
  [2_999, 1_337, 1_000, 4_010],
] as const)
  test(`${grams} g at ${price} cents for ${unitGrams} g cost ${want} cents`, () => {
    assert.equal(priceOfGrams(cents(price), grams, unitGrams), want)
  })

test('units of weight are known however they are written, others are counted', () => {
  for (const [unit, grams] of [
    ['kg', 1_000],
    ['KG', 1_000],
    ['100 g', 100],
    ['g', 1],
  ] as const)
    assert.equal(gramsPerUnit(unit), grams, unit)
  for (const unit of ['each', 'dozen', 'toString', '']) assert.equal(gramsPerUnit(unit), null, unit)
  assert.deepEqual([orderedGrams('kg', 3), orderedGrams('each', 3)], [3_000, null])
  assert.deepEqual([orderedGrams('kg', 1.001), orderedGrams('100 g', 2.5)], [1_001, 250])
})

const line = fc.record({
  priceCents: fc.integer({ min: 0, max: 10_000_000 }).map((amount) => amount as Cents),
  discount: fc.integer({ min: 0, max: 100 }),
  quantity: fc.integer({ min: 1, max: 50_000 }).map((parts) => parts / 100), // whole grams, of 100 g too,
  includeGST: fc.boolean(),
  unit: fc.constantFrom('kg', '100g', 'each', 'dozen'),
  finalGrams: fc.option(fc.integer({ min: 1, max: MAX_ORDER_GRAMS })),
})

test('10,000 random carts: the sums of an invoice are those of its lines, in cents', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (cart) => {
      const lines = cart.map((one) => ({
        ...orderLineTotals(one, one.finalGrams),
        includeGST: one.includeGST,
      }))
      const sums = invoiceTotals(lines)
      let [total, gst, savings] = [0, 0, 0]
      for (const one of lines) {
        for (const amount of [one.subtotal, one.savings, one.gst, one.total])
          assert.ok(Number.isSafeInteger(amount) && amount >= 0)
        assert.equal(one.gst, one.includeGST ? gstIncluded(one.total) : 0)
        total += one.total
        gst += one.gst
        savings += one.savings
      }
      assert.deepEqual([sums.total, sums.gst, sums.savings], [total, gst, savings])
      assert.equal(sums.taxable + sums.free, sums.total)
      assert.equal(sums.subtotal - sums.savings, sums.total)
    }),
    { numRuns: 10_000 },
  )
})

test('an order that weighs what was ordered costs what the cart said', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (cart) => {
      for (const one of cart)
        assert.deepEqual(orderLineTotals(one, orderedGrams(one.unit, one.quantity)), lineTotals(one))
      const weighed = cart.map((one) => ({ ...orderLineTotals(one, null), includeGST: one.includeGST }))
      const { taxable, free, ...sums } = invoiceTotals(weighed)
      assert.deepEqual(sums, cartTotals(cart))
      assert.equal(taxable + free, sums.total)
    }),
  )
})

test('a price rises with the weight, and is off by half a cent at most', () => {
  const price = fc.integer({ min: 0, max: 10_000_000 })
  const grams = fc.integer({ min: 0, max: MAX_ORDER_GRAMS - 1 })
  fc.assert(
    fc.property(price, grams, (amount, weight) => {
      const made = priceOfGrams(amount as Cents, weight, 1_000)
      assert.ok(made <= priceOfGrams(amount as Cents, weight + 1, 1_000))
      assert.ok(Math.abs(made * 1_000 - amount * weight) <= 500)
    }),
  )
})

test('the tolerance never charges a part of a cent more than agreed', () => {
  assert.deepEqual(
    [mostCharged(cents(1_000), 10), mostCharged(cents(1_009), 10), mostCharged(cents(9), 10)],
    [1_100, 1_109, 9],
  )
  assert.equal(mostCharged(cents(0), 10), 0)
})

test('a delivery costs what its area says, up to what is free, and only a delivery there', () => {
  const area = { area: 'Inner', postcodes: ['2000', '2006-2010'], fee: 880, minimum: 2_000, freeFrom: 10_000 }
  const { postcodes: _, ...terms } = area
  for (const postcode of ['2000', '2006', '2008', '2010'])
    assert.deepEqual(deliveryTerms([area], 'delivery', postcode), terms, postcode)
  for (const postcode of ['1999', '2001', '2005', '2011', '0200', '20', '200a', '', undefined])
    assert.equal(deliveryTerms([area], 'delivery', postcode), null, postcode)
  assert.equal(deliveryTerms([area], 'pickup', '2000'), null)
  assert.deepEqual(
    [0, 9_999, 10_000].map((goods) => deliveryFee(terms, goods)),
    [880, 880, 0],
  )
  assert.equal(deliveryFee({ ...terms, freeFrom: null }, 1e9), 880)
  assert.equal(deliveryFee(null, 0), 0)
  assert.deepEqual(
    [0, 1_999, 2_000].map((goods) => missingGoods(terms, goods)),
    [2_000, 1, 0],
  )
  assert.deepEqual(
    [missingGoods(null, 0), tooLittle(null, '2000', 0), tooLittle(terms, '2000', 2_000)],
    [0, null, null],
  )
  assert.equal(feeText(terms), '$8.80, free from $100.00 of goods')
  assert.equal(feeText({ fee: 0, freeFrom: null }), 'free of charge')
  const line = { priceCents: cents(1_100), discount: 0, quantity: 1, includeGST: true }
  assert.deepEqual(cartTotals([line], cents(880)), {
    subtotal: 1_100,
    savings: 0,
    gst: 180,
    delivery: 880,
    total: 1_980,
  })
})
