import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Amount, amount, sumOf } from './amount.ts'
import { pickingList, scaleLines, scaleReading } from './packing.ts'

const snapper = { product_id: 's', title: 'Snapper', unit: 'kg' }
const ice = { product_id: 'i', title: 'Ice', unit: 'bag' }
const grams = (value: number): Amount => amount(value, 'grams')
const pieces = (value: number): Amount => amount(value, 'pieces')

test('lines are summed by product, and taken from the first boxes', () => {
  const list = pickingList(
    [
      { ...snapper, amount: grams(1_500) },
      { ...ice, amount: pieces(2) },
      { ...snapper, amount: grams(900) },
    ],
    [
      { product_id: 's', boxID: 'A', left: grams(2_000) },
      { product_id: 's', boxID: 'B', left: grams(0) },
      { product_id: 's', boxID: 'C', left: grams(300) },
    ],
  )
  assert.deepEqual(list, [
    { ...ice, amount: pieces(2), lines: 1, from: [], isBoxed: false, short: pieces(2) },
    {
      ...snapper,
      amount: grams(2_400),
      lines: 2,
      from: [
        { boxID: 'A', amount: grams(2_000) },
        { boxID: 'C', amount: grams(300) },
      ],
      isBoxed: true,
      short: grams(100),
    },
  ])
})

test('what was ordered by weight is taken from no box that holds pieces', () => {
  const boxes = [{ product_id: 's', boxID: 'A', left: pieces(9_000) }]
  const [line] = pickingList([{ ...snapper, amount: grams(500) }], boxes)
  assert.deepEqual([line?.from, line?.isBoxed, line?.short], [[], true, grams(500)])
})

test('no box gives more than it has, and what is taken and short adds up', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 5_000 }).map(grams), { maxLength: 8 })
  fc.assert(
    fc.property(amounts, amounts, (ordered, left) => {
      const boxes = left.map((amount, i) => ({ product_id: 's', boxID: `${i}`, left: amount }))
      const [line] = pickingList(
        ordered.map((amount) => ({ ...snapper, amount })),
        boxes,
      )
      if (line === undefined) return assert.deepEqual(ordered, [])
      for (const { boxID, amount } of line.from)
        assert.ok(amount.value > 0 && amount.value <= (left[Number(boxID)]?.value ?? 0))
      const taken = line.from.map(({ amount }) => amount)
      assert.deepEqual(sumOf('grams', [...taken, line.short] as Amount<'grams'>[]), line.amount)
    }),
  )
})

for (const [line, grams, isStable, isGross] of [
  ['ST,GS,+  1.234kg', 1_234, true, true],
  ['ST,NT,+001.2345 kg', 1_235, true, false],
  ['US,NT,-  0.005kg', -5, false, false],
  ['S S     1.500 kg', 1_500, true, false],
  ['S D     1.498 kg', 1_498, false, false],
  ['   2050 g', 2_050, true, false],
  ['+ 0.000 KG', 0, true, false],
  ['- 0.000 kg', 0, true, false],
  ['1.2 kg ?', 1_200, false, false],
] as const)
  test(`a scale’s ${JSON.stringify(line)} is ${grams} g`, () => {
    assert.deepEqual(scaleReading(line), { grams, isStable, isGross })
  })

for (const line of ['', 'OL', 'S +', 'S I', 'ERR 3', '1.234', '2.5 lb', 'ready', 'kg', '999999999 kg.5'])
  test(`a scale’s ${JSON.stringify(line)} is no weight`, () => {
    assert.equal(scaleReading(line), null)
  })

test('lines are whole, however they arrive', () => {
  const text = 'ST,NT,+1.000kg\r\nST,NT,+1.001kg\r\n'
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      let rest = ''
      const found: string[] = []
      for (let i = 1; i < at.length; i++) {
        const next = scaleLines(rest, text.slice(at[i - 1], at[i]))
        found.push(...next.lines)
        rest = next.rest
      }
      assert.deepEqual(found, ['ST,NT,+1.000kg', 'ST,NT,+1.001kg'])
    }),
  )
  assert.equal(scaleLines('', 'x'.repeat(1_000)).rest, '', 'what never ends is not kept')
})

test('anything at all is a weight or none, never an error', () => {
  fc.assert(
    fc.property(fc.string(), (line) => {
      const reading = scaleReading(line)
      assert.ok(reading === null || Number.isSafeInteger(reading.grams))
    }),
  )
})
