import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, compare, type Held, longestWithout, missed, rowOf, type Told, table } from './count.ts'

const told = (kind: Told['kind'], id: string, at: number): Told => ({ kind, id, at })
const held = (more: Partial<Record<Told['kind'], [string, number][]>>): Held => ({
  order: new Map(more.order),
  packing: new Map(more.packing),
  reading: new Map(more.reading),
})

test('lost is what somebody was told and is not there, of its own kind; doubled what is there more than once', () => {
  const all = [told('order', 'a', 1), told('order', 'b', 2), told('packing', 'a', 3), told('reading', 'r', 4)]
  const found = held({
    order: [
      ['a', 2],
      ['never told', 2],
    ],
    reading: [['r', 1]],
  })
  const { lost, doubled } = compare(all, found)
  assert.deepEqual(lost, [told('order', 'b', 2), told('packing', 'a', 3)])
  assert.deepEqual(doubled, [told('order', 'a', 1)])
})

test('seconds without writes are the longest gap that reaches into the time, whole, and readings end none', () => {
  const all = [1_000, 9_000, 10_000, 10_500, 30_000, 30_200].map((at) => told('order', `${at}`, at))
  assert.equal(longestWithout(all, 10_000, 31_000), 19_500)
  assert.equal(longestWithout(all, 20_000, 31_000), 19_500, 'it began before')
  assert.equal(longestWithout(all, 9_500, 10_600), 1_000, 'one before does not count')
  assert.equal(longestWithout(all, 30_100, 60_000), 29_800, 'nothing has ended it')
  assert.equal(longestWithout([...all, told('reading', 'r', 20_000)], 10_000, 31_000), 19_500)
  assert.equal(longestWithout([...all, told('packing', 'p', 20_000)], 10_000, 31_000), 10_000)
  assert.equal(longestWithout(all.toReversed(), 10_000, 31_000), 19_500, 'in any order')
  assert.equal(longestWithout([], 5_000, 8_000), 3_000)
})

const fault = { fault: 'cut', goal: { mostSeconds: 2, mostFailed: 0 }, from: 10_000, to: 20_000, ends: 0 }
const steady = Array.from({ length: 30 }, (_, i) => told('order', `${i}`, i * 1_000))
const everything = held({ order: steady.map(({ id }) => [id, 1]) })

test('a row counts its own time alone', () => {
  const asked: Asked[] = [
    { at: 9_999, what: '/', failed: '503' },
    { at: 10_000, what: '/' },
    { at: 19_999, what: '/' },
    { at: 20_000, what: '/', failed: '503' },
  ]
  const row = rowOf(fault, steady, asked, everything)
  assert.deepEqual(row.failures, [])
  assert.deepEqual(row.told, { order: 10, packing: 0, reading: 0 })
  assert.deepEqual([row.asked, row.failed, row.withoutWritesMs], [2, 0, 1_000])
  assert.deepEqual(missed(row), [])
})

test('each goal that is missed is said, and losses are no goal’s matter', () => {
  const fewer = held({
    order: [
      ['10', 1],
      ['11', 2],
    ],
  })
  const gap = steady.filter(({ at }) => at <= 11_000 || at > 16_000)
  const asked = ['/', 'order', 'order'].map((what, i) => ({ at: 12_000 + i, what, failed: '503' }))
  const row = rowOf({ ...fault, ends: 1 }, gap, asked, fewer)
  assert.deepEqual(missed(row), [
    ...['3 lost', '1 doubled', '1 processes ended', 'writes only after 6.0 s', '3 requests failed'],
  ])
  assert.deepEqual(row.failures, ['2 × order: 503', '1 × /: 503'])
  assert.deepEqual(missed({ ...row, goal: {} }), ['3 lost', '1 doubled', '1 processes ended'])
})

test('the table says of each fault whether its goals were met', () => {
  const row = rowOf(fault, steady, [], everything)
  const [head = '', line, met, not] = table([row, { ...row, lost: 1 }])
  assert.equal(head.split('|').length, line?.split('|').length)
  assert.equal(met, '| cut | 10 | 0 | 0 | 0 | 0 | 0 | 1.0 | ≤ 2 | 0 | 0 | ≤ 0 | met |')
  assert.match(not ?? '', /\*\*missed\*\*: 1 lost \|$/)
})
