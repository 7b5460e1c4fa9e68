import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isOfLabels,
  isProposedNumber,
  labelNumberOf,
  labelText,
  NewLabels,
  newBoxNumber,
} from './box-numbers.ts'

test('numbers that phones make have a form of their own, in which no labels are allotted', () => {
  const proposed = newBoxNumber([0, 1, 2, 3, 29, 30, 31, 4_294_967_295])
  assert.equal(proposed, 'F-2345-Z23H')
  assert.ok(isProposedNumber(proposed))
  for (const other of ['F-1', 'F-2345-234', 'f-2345-2345', 'F-2345-2340', 'XF-2345-2345', 'F-2345-2345-1'])
    assert.equal(isProposedNumber(other), false, other)
  assert.equal(NewLabels.safeParse({ first: 'F-2345-2000', count: 999 }).success, false)
})

test('labels count up in as many digits as the first has', () => {
  assert.deepEqual(labelNumberOf('SFM-0042'), { prefix: 'SFM-', value: 42, digits: 4 })
  assert.deepEqual(labelNumberOf('12345678901'), { prefix: '12', value: 345_678_901, digits: 9 })
  assert.equal(labelNumberOf('SFM-'), null)
  for (const text of ['SFM-0042', '007', 'A1'])
    assert.equal(labelText(labelNumberOf(text) ?? { prefix: '', value: 0, digits: 0 }), text)
  const labels = { first: 'B-008', last: 'B-120' }
  for (const [boxID, isIn] of [
    ['B-008', true],
    ['B-100', true],
    ['B-120', true],
    ['B-121', false],
    ['B-07', false],
    ['B-0100', false],
    ['C-100', false],
    ['B-', false],
  ] as const)
    assert.equal(isOfLabels(labels, boxID), isIn, boxID)
  const isGood = (first: string, count: number) => NewLabels.safeParse({ first, count }).success
  assert.deepEqual(
    [isGood('SFM-0001', 9999), isGood('SFM-0001', 10_000), isGood('SFM-', 1), isGood('A1', 0)],
    [true, false, false, false],
  )
})
