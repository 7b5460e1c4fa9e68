import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pickingList } from './picking-list.ts'

const snapper = { product_id: 's', title: 'Snapper', unit: 'kg' }
const ice = { product_id: 'i', title: 'Ice', unit: 'bag' }

test('lines are summed by product, and taken from the first boxes', () => {
  const list = pickingList(
    [
      { ...snapper, amount: 1_500 },
      { ...ice, amount: 2 },
      { ...snapper, amount: 900 },
    ],
    [
      { product_id: 's', boxID: 'A', left: 2_000 },
      { product_id: 's', boxID: 'B', left: 0 },
      { product_id: 's', boxID: 'C', left: 300 },
    ],
  )
  assert.deepEqual(list, [
    { ...ice, amount: 2, lines: 1, from: [], isBoxed: false, short: 2 },
    {
      ...snapper,
      amount: 2_400,
      lines: 2,
      from: [
        { boxID: 'A', amount: 2_000 },
        { boxID: 'C', amount: 300 },
      ],
      isBoxed: true,
      short: 100,
    },
  ])
})

test('no box gives more than it has, and what is taken and short adds up', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(amounts, amounts, (ordered, left) => {
      const boxes = left.map((amount, i) => ({ product_id: 's', boxID: `${i}`, left: amount }))
      const [line] = pickingList(
        ordered.map((amount) => ({ ...snapper, amount })),
        boxes,
      )
      const taken = line?.from.reduce((sum, { amount }) => sum + amount, 0) ?? 0
      for (const { boxID, amount } of line?.from ?? [])
        assert.ok(amount > 0 && amount <= (left[Number(boxID)] ?? 0))
      assert.equal(taken + (line?.short ?? 0), line?.amount ?? 0)
    }),
  )
})
