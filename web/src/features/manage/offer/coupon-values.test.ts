import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allGoods, chosenGoods, couponForm } from './coupon-values.ts'

const form = couponForm('Australia/Sydney')
const empty = { minimum: '', from: '', until: '', uses: '', usesEach: '' }

test('a coupon is sent as it was typed: dollars in cents, times of the market, and nothing of what is left empty', () => {
  assert.deepEqual(form.parse({ code: 'fish-10', percent: '10', ...empty }), {
    ...{ code: 'FISH-10', percent: 10, minimum: 0, firstOrder: false },
  })
  const typed = {
    ...empty,
    amount: '$5.50',
    minimum: '1,000',
    from: '2026-12-01T09:00',
    uses: '20',
    usesEach: '1',
  }
  assert.deepEqual(form.parse({ code: 'xmas', firstOrder: 'on', products: ['a'], ...typed }), {
    ...{
      code: 'XMAS',
      amount: 550,
      minimum: 100_000,
      firstOrder: true,
      products: ['a'],
      uses: 20,
      usesEach: 1,
    },
    from: '2026-11-30T22:00:00.000Z',
  })
})

test('what was typed wrong is refused by its field', () => {
  for (const [more, path] of [
    [{ percent: '10,5' }, 'percent'],
    [{ percent: '' }, 'percent'],
    [{ percent: undefined, amount: '5.555' }, 'amount'],
    [{ minimum: 'ten' }, 'minimum'],
    [{ from: 'soon' }, 'from'],
    [{ uses: '1.5' }, 'uses'],
    [{ categories: [] }, 'categories'],
  ] as const) {
    const { error } = form.safeParse({ code: 'FISH', percent: '5', ...empty, ...more })
    assert.equal(error?.issues[0]?.path[0], path, JSON.stringify(more))
  }
})

test('of what a coupon is for only what is chosen is sent', () => {
  const goods = { ...allGoods, categories: ['c'], products: [{ _id: 'p', title: 'P' }] }
  assert.deepEqual(chosenGoods(goods), {})
  assert.deepEqual(chosenGoods({ ...goods, kind: 'categories' }), { categories: ['c'] })
  assert.deepEqual(chosenGoods({ ...goods, kind: 'products' }), { products: ['p'] })
})
