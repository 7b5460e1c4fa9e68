import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedPrice } from './product-fields.ts'

const known = [
  [333, { priceFactor: 1.1 }, 366],
  [1_005, { priceFactor: 1.1 }, 1_106],
  [1_250, {}, 1_250],
  [1_250, { priceValue: 19.99 }, 1_999],
  [1_250, { priceDelta: -0.66 }, 1_184],
  [10, { priceDelta: -1 }, -90],
  [4_487_150, { priceFactor: 1.00001 }, 4_487_195],
  [10_000_000, { priceFactor: 0.999999 }, 9_999_990],
] as const

for (const [cents, change, want] of known)
  test(`${cents} cents after ${JSON.stringify(change)} are ${want}`, () =>
    assert.equal(changedPrice(cents, change), want))
