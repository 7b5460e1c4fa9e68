import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Price } from './catalogue.ts'
import { centsFromDecimal } from './money.ts'

test('an accepted price is a whole number of cents', () => {
  for (const price of [0, 0.01, 10.13, 19.99, 34.5, 100_000])
    assert.equal(centsFromDecimal(Price.parse(price)), Math.round(price * 100), String(price))
})

test('a price with any part of a cent is refused, however small', () => {
  for (const price of [0.001, 12.345, 0.1 + 0.2, 10.129999999999999])
    assert.match(Price.safeParse(price).error?.message ?? '', /fractions of a cent/, String(price))
})
