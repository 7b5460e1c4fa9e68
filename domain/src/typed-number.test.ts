import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Price } from './catalogue.ts'
import { parseNumber } from './typed-number.ts'

const read = [
  ['12.50', 12.5],
  [' 7 ', 7],
  ['$12.50', 12.5],
  ['-$2', -2],
  ['-2.5', -2.5],
  ['0', 0],
  ['1200', 1200],
  ['1,200', 1200],
  ['1,200.50', 1200.5],
  ['$1,234,567.89', 1234567.89],
] as const

for (const [text, number] of read)
  test(`'${text}' is ${number}`, () => assert.equal(parseNumber(text), number))

for (const text of [
  '12,50',
  '1,2',
  '1,20',
  '0,500',
  '1,2000',
  ',200',
  '1,200,',
  '1,200.5,0',
  '12,345,6',
  '1.200,50',
])
  test(`'${text}' is rejected, not guessed at`, () => {
    assert.equal(parseNumber(text), text)
    const [issue] = Price.safeParse(parseNumber(text)).error?.issues ?? []
    assert.equal(issue?.message, 'price: write 12.50 for twelve dollars fifty')
  })

for (const text of ['', ' ', 'cheap', '1e3', '0x10', '--1', '$', '1 200', '.', 'NaN', 'Infinity'])
  test(`'${text}' is no number`, () => {
    assert.equal(parseNumber(text), text)
    assert.equal(Price.safeParse(parseNumber(text)).error?.issues[0]?.message, 'price must be a number')
  })

test('every amount of cents is read back from how it is written in Australia', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (cents) => {
      const written = (cents / 100).toLocaleString('en-AU', { minimumFractionDigits: 2 })
      assert.equal(parseNumber(written), cents / 100)
    }),
  )
})

test('a value that is not text is returned as it is', () => {
  for (const value of [3, true, null, undefined]) assert.equal(parseNumber(value), value)
})
