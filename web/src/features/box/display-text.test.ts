import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationText } from '@befaqt/domain/duration-text'
import { coordinates, degrees, keyedReading } from './chart/readings.ts'
import { rpcProblem } from './check/check-proof.ts'
import { days, daysRange, fraction, percent } from './panels/format.ts'

test('numbers are formatted for people', () => {
  assert.deepEqual([fraction(0.2), fraction(null), fraction(undefined)], ['0.20', '', ''])
  assert.deepEqual([percent(0.984), percent(undefined)], ['98 %', ''])
  assert.deepEqual([days(12), days(12.04), days(0.25)], ['12', '12', '0.3'])
  assert.deepEqual([daysRange(11.4, 12.1), daysRange(0, 0.01)], ['11.4–12.1 days', '0 days'])
  assert.deepEqual(
    [durationText(0), durationText(59.6), durationText(125)],
    ['0 min', '1 h 00 min', '2 h 05 min'],
  )
})

test('temperatures have two decimals and a real minus sign, and none for zero', () => {
  assert.deepEqual([degrees(2.3), degrees(-1.5), degrees(-0.001)], ['2.30 °C', '−1.50 °C', '0.00 °C'])
  assert.equal(coordinates({ latitude: -33.5, longitude: 151 }), '−33.50000 / 151.00000')
})

test('arrow keys move along the readings and stop at the ends', () => {
  assert.equal(keyedReading('ArrowRight', -1, 5), 0)
  assert.equal(keyedReading('ArrowRight', 4, 5), 4)
  assert.equal(keyedReading('ArrowLeft', 0, 5), 0)
  assert.equal(keyedReading('PageUp', 0, 5), 4)
  assert.equal(keyedReading('End', -1, 5), 4)
  for (const key of ['Tab', 'a', 'constructor']) assert.equal(keyedReading(key, 2, 5), null)
})

test('only http(s) URLs are accepted as ledger nodes', () => {
  for (const good of ['https://node.example/x', 'http://localhost:8545']) assert.equal(rpcProblem(good), null)
  assert.equal(rpcProblem(' '), null, 'none is named')
  for (const bad of ['node', 'ftp://x', 'javascript:alert(1)', 'https://']) assert.ok(rpcProblem(bad), bad)
})
