import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ShopError } from './errors.ts'
import {
  addCents,
  type Cents,
  cents,
  centsFromDecimal,
  decimalFromCents,
  discounted,
  discountLabel,
  formatDollars,
  gstIncluded,
  priceLabel,
} from './money.ts'

const amounts = fc.integer({ min: 0, max: 10_000_000 }).map(cents)

test('a discount rounds half up to a cent, once', () => {
  const table = [
    [999, 50, 500],
    [1, 50, 1],
    [1, 51, 0],
    [1000, 100, 0],
    [1000, 0, 1000],
    [3333, 10, 3000],
    [1995, 15, 1696],
  ] as const
  for (const [price, percent, want] of table)
    assert.equal(discounted(cents(price), percent), want, `${price}c at ${percent}% off`)
})

test('a discounted price is within half a cent of the true one, never negative, never above the price', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 100 }), (price, percent) => {
      const result = discounted(price, percent)
      assert.ok(Number.isInteger(result) && result >= 0 && result <= price)
      assert.ok(Math.abs(result * 100 - price * (100 - percent)) <= 50)
    }),
  )
})

test('GST is one eleventh, half up', () => {
  const table = [
    [0, 0],
    [1100, 100],
    [5, 0],
    [6, 1],
    [16, 1],
    [17, 2],
    [1999, 182],
  ] as const
  for (const [amount, want] of table) assert.equal(gstIncluded(cents(amount)), want, `${amount}c`)
  // 11 × 5.5 c does not occur in whole cents; the nearest amounts fall on either side of the half
  fc.assert(fc.property(amounts, (amount) => assert.ok(Math.abs(gstIncluded(amount) * 11 - amount) <= 5.5)))
})

test('decimals become cents and back without loss', () => {
  const table = [
    [19.99, 1999],
    [0.29, 29],
    [1.15, 115],
    [0, 0],
    [100_000, 10_000_000],
    [4.35, 435],
  ] as const
  for (const [dollars, want] of table) assert.equal(centsFromDecimal(dollars), want)
  fc.assert(
    fc.property(amounts, (amount) => assert.equal(centsFromDecimal(decimalFromCents(amount)), amount)),
  )
})

test('fractions of a cent and text that is no number are rejected', () => {
  for (const bad of [0.001, 19.999, 1.0000001, Number.NaN, Number.POSITIVE_INFINITY, 1e300])
    assert.throws(() => centsFromDecimal(bad), ShopError, String(bad))
  for (const bad of [0.5, Number.NaN, 2 ** 53]) assert.throws(() => cents(bad), ShopError, String(bad))
})

test('labels are those of the specification', () => {
  assert.equal(formatDollars(cents(5)), '$0.05')
  assert.equal(formatDollars(cents(123_450)), '$1234.50')
  assert.equal(formatDollars(cents(-100)), '-$1.00')
  assert.equal(priceLabel(cents(3990), 10, 'kg'), '$35.91/kg')
  assert.equal(discountLabel(15), '15%off')
  assert.equal(discountLabel(0), null)
})

test('a sum of amounts is exact', () => {
  const list: Cents[] = [cents(10), cents(20), cents(1)]
  assert.equal(addCents(list), 31)
  assert.equal(addCents([]), 0)
})
