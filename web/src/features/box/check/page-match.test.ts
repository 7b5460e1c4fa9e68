import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Box } from '@befaqt/domain/box'
import { pageMatches } from './page-match.ts'

const fisher = { traderID: 'T-1', traderName: 'A', companyName: 'B', boat: 'C', address: 'D' }
const reading = (temperature: number) => ({
  time: `2026-11-20 0${Math.round(temperature)}:00:00`,
  latitude: -33,
  longitude: 151,
  iotID: 'L-1',
  temperature,
})
const box: Box = {
  boxID: '1',
  fisher,
  catchProv: null,
  iotResult: {
    operator: 'computed by the shop',
    iotScore: 0.1,
    confidence: 1,
    time: '2026-11-20 02:00:00',
    latitude: -33,
    longitude: 151,
    iotTracking: [
      { ...reading(1), txHash: '0xab' },
      { ...reading(2), txHash: null },
    ],
  },
  imageProc: [],
  e_nose: [],
  freshness: [],
}
const records = [
  { seq: 1, kind: 'registration', data: fisher },
  { seq: 2, kind: 'tracking', data: reading(1) },
  { seq: 3, kind: 'tracking', data: reading(2) },
]
const hashesOf = (count: number) => Array(count).fill('ab'.repeat(32))
const page = { box, hashes: hashesOf(3) }
const withReadings = (...temperatures: number[]) => ({
  hashes: hashesOf(3),
  box: { ...box, iotResult: box.iotResult && { ...box.iotResult, iotTracking: temperatures.map(reading) } },
})

test('a page that shows its records matches them, whatever transactions are named', () => {
  assert.equal(pageMatches(page, records), true)
})

test('a page that shows another value, one reading less or one twice does not match', () => {
  assert.equal(pageMatches(withReadings(1, 2.5), records), false)
  assert.equal(pageMatches(withReadings(1), records), false)
  assert.equal(pageMatches(withReadings(1, 2, 2), records), false)
  assert.equal(pageMatches({ ...page, box: { ...box, fisher: { ...fisher, boat: 'E' } } }, records), false)
})

test('a record does not match one of another kind', () => {
  const swapped = records.map((record) => (record.seq === 2 ? { ...record, kind: 'freshness' } : record))
  assert.equal(pageMatches(page, swapped), false)
})

test('records that came after the page was loaded change nothing, missing ones do', () => {
  assert.equal(pageMatches(page, [...records, { seq: 4, kind: 'tracking', data: reading(3) }]), true)
  assert.equal(pageMatches(page, records.slice(0, 2)), false)
  assert.equal(pageMatches({ ...page, hashes: hashesOf(4) }, records), false)
})

test('of a corrected reading only the newest correction matches', () => {
  const corrected = [1.4, 1.5].map((temperature, i) => ({
    seq: 4 + i,
    kind: 'correction',
    data: { corrects: 3, reason: 'drift', data: reading(temperature) },
  }))
  const shows = (temperature: number): boolean =>
    pageMatches({ ...withReadings(1, temperature), hashes: hashesOf(5) }, [...records, ...corrected])
  assert.deepEqual([2, 1.4, 1.5].map(shows), [false, false, true])
})

test('a withheld record is neither shown nor missing', () => {
  const withheld = [records[0] ?? { seq: 1 }, records[1] ?? { seq: 2 }, { seq: 3 }]
  assert.equal(pageMatches(withReadings(1), withheld), true)
})
