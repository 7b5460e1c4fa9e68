import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { kitchenAdvice } from './kitchen.ts'

type Sold = Parameters<typeof kitchenAdvice>[0]

const SAMPLE = new URL('../../sample/products.json', import.meta.url)

test('of all that the sample shop sells but a platter it is known how it is kept and cooked, in short sentences', async () => {
  const sold: Sold[] = JSON.parse(await readFile(SAMPLE, 'utf8'))
  const unknown = sold.filter((product) => kitchenAdvice(product) === null).map(({ title }) => title)
  assert.deepEqual(unknown, ['Seafood platter for four'])
  for (const product of sold) {
    const { keep = '', cook = '' } = kitchenAdvice(product) ?? {}
    assert.ok(keep.length < 260 && cook.length < 260, product.title)
  }
})

test('what is cooked is not to be cooked again, and what is raw is told by its own kind', () => {
  const of = (title: string, unit = 'kg') => kitchenAdvice({ title, unit, allergens: ['mollusc'] })
  assert.match(of('King prawns, cooked')?.cook ?? '', /cooked already/)
  assert.match(of('Eastern king prawns, raw')?.cook ?? '', /until they are pink/)
  assert.match(of('Sydney rock oysters', 'dozen')?.keep ?? '', /the day you buy them/)
  assert.equal(of('Gift voucher', 'each'), null)
  for (const title of ['Smoked salmon', 'Frozen prawns', 'Crab meat', 'Oyster sauce', 'Marinated octopus'])
    assert.equal(of(title), null, title)
  for (const allergens of [[], ['sulphites']] satisfies Sold['allergens'][])
    assert.equal(kitchenAdvice({ title: 'Oyster knife', unit: 'each', allergens }), null)
})

test('fish that form histamine when they get warm say so', () => {
  for (const title of [
    'Yellowfin tuna loin',
    'Albacore',
    'Yellowtail kingfish',
    'Blue mackerel',
    'Australian sardine',
  ])
    assert.match(kitchenAdvice({ title, unit: 'kg', allergens: ['fish'] })?.keep ?? '', /histamine/, title)
  assert.doesNotMatch(
    kitchenAdvice({ title: 'Snapper, whole', unit: 'kg', allergens: ['fish'] })?.keep ?? '',
    /histamine/,
  )
})
