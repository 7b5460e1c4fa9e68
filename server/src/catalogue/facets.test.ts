import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductWindow } from '@befaqt/domain/catalogue'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { cutsOf } from './facets.ts'

const NOW = new Date('2026-11-22T01:00:00Z')
let now = NOW
const reason = 'It was too warm on the road.'

type Row = Pick<typeof products.$inferInsert, 'id' | 'title' | 'origin' | 'discount' | 'stock'> & {
  categoryId?: string
}

async function fillShelf({ deps }: TestShop, all: readonly Row[]): Promise<void> {
  await deps.db.insert(categories).values([
    { id: 'c', title: 'All fish', titleKey: 'allfish', shelfPos: '1' },
    { id: 'd', title: 'Ice', titleKey: 'ice', shelfPos: '2' },
  ])
  const rest = { categoryId: 'c', priceCents: 3_000, unit: 'kg' }
  await deps.db.insert(products).values(all.map((row) => ({ stock: 9, ...rest, ...row })))
  deps.catalogue.clear()
}

/** A tracked snapper at market, fished by line, at its best until the 28th in Sydney, and what else a shop has. */
async function shopWithFacets(
  open: (typeof testDatabases)[number][1],
): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop({ open, deps: { now: () => now } })
  const { db } = shop.deps
  await fillShelf(shop, [
    { id: 'snapper', title: 'Snapper, whole', origin: 'Australia' },
    { id: 'tuna', title: 'Tuna loin', origin: 'New Zealand, Fiji', discount: 20 },
    { id: 'salmon', title: 'Salmon fillets', origin: 'Australia', discount: 10, stock: 0 },
    { id: 'ice', title: 'Ice', categoryId: 'd' },
  ])
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher: sampleBox().fisher })
  const summary = {
    ...{ freshnessIndex: 0.2, bestBy: '2026-11-28T02:00:00.000Z', warm: null, coldChain: null },
    wordFrom: {
      good: '2026-11-24T00:00:00.000Z',
      useSoon: '2026-11-26T00:00:00.000Z',
      over: '2026-11-28T02:00:00.000Z',
    },
    ...{
      stage: 'at market' as const,
      catchPlace: 'Eden',
      catchTime: null,
      method: 'purse Seine',
      boat: null,
      trader: null,
    },
  }
  await db.update(boxes).set({ summary }).where(eq(boxes.id, 'BOX-1'))
  await admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 20 }])
  shop.deps.catalogue.clear()
  return { ...shop, admin, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
}

async function ask({ app }: TestShop, query: string): Promise<ProductWindow> {
  const answer = await app.inject(`/api/product/onSale?facets=yes&sort=name&${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** `{ origin: ['australia 2', …] }`, what is chosen with a star. */
const counted = ({ facets }: ProductWindow): Record<string, string[]> =>
  Object.fromEntries(
    (facets ?? []).map(({ kind, options }) => [
      kind,
      options.map(({ value, count, isChosen }) => `${value} ${count}${isChosen ? '*' : ''}`),
    ]),
  )
const titles = ({ rows }: ProductWindow): string[] => rows.map(({ title }) => title)

for (const [name, open] of testDatabases) {
  test(`${name}: each choice is counted with those of the other kinds, any of one kind and all kinds narrow`, async () => {
    await using shop = await shopWithFacets(open)
    const whole = await ask(shop, '')
    assert.equal(whole.total, 4)
    assert.deepEqual(counted(whole), {
      category: ['Allfish 3', 'Ice 1'],
      stock: ['in 3'],
      fresh: ['5 1', '4 1'],
      origin: ['australia 2', 'fiji 1', 'new-zealand 1'],
      method: ['purse-seine 1'],
      cut: ['whole 1', 'fillets 1', 'loins 1'],
      bestBy: ['2026-11-24 1', '2026-11-26 1'],
      tracked: ['yes 1'],
      special: ['yes 2'],
    })
    assert.equal(whole.facets?.at(-1)?.options[0]?.label, 'Purse Seine')
    const special = await ask(shop, 'special=yes')
    assert.deepEqual(titles(special), ['Salmon fillets', 'Tuna loin'])
    assert.deepEqual(counted(special).origin, ['australia 1', 'fiji 1', 'new-zealand 1'])
    assert.deepEqual(counted(special).special, ['yes 2*'])
    assert.deepEqual(counted(special).tracked, ['yes 0'], 'in its place, with nothing behind it')
    const two = await ask(shop, 'special=yes&origin=fiji,australia&cut=fillets')
    assert.deepEqual(titles(two), ['Salmon fillets'])
    assert.deepEqual(counted(two).cut, ['whole 0', 'fillets 1*', 'loins 1'])
    assert.deepEqual(counted(two).origin, ['australia 1*', 'fiji 0*', 'new-zealand 0'])
    const inStock = await ask(shop, 'stock=in')
    assert.deepEqual(counted(inStock).special, ['yes 1'], 'of what all else leaves')
    assert.deepEqual(counted(inStock).stock, ['in 3*'])
    const older = await ask(shop, 'category=aLLFish&fresh=2&stock=in')
    assert.deepEqual(titles(older), ['Snapper, whole'])
    assert.deepEqual(
      [counted(older).category, counted(older).fresh],
      [
        ['Allfish 1*', 'Ice 0'],
        ['5 1', '4 1*'],
      ],
    )
    const ice = await ask(shop, 'category=Ice')
    assert.deepEqual(
      counted(ice),
      { category: ['Allfish 3', 'Ice 1*'], stock: ['in 1'] },
      'nothing of other categories',
    )
    assert.equal(
      (await ask(shop, 'category=nothing&fresh=9&stock=maybe')).total,
      4,
      'odd ones leave nothing out',
    )
    assert.deepEqual(titles(await ask(shop, 'bestBy=2026-11-28')), ['Snapper, whole'])
    const late = await ask(shop, 'bestBy=2026-11-29')
    assert.deepEqual([late.total, counted(late).bestBy?.at(-1)], [0, '2026-11-29 0*'], 'it can be undone')
    const nowhere = await ask(
      shop,
      'origin=lost-atlantis&category=Ice&fresh=5&stock=in&cut=loins&special=yes',
    )
    assert.equal(nowhere.total, 0)
    const names = nowhere.facets?.flatMap(({ options }) => options.filter(({ isChosen }) => isChosen))
    assert.deepEqual(
      names?.map(({ label }) => label),
      ['Ice', 'In stock', 'Excellent', 'On special', 'Loins', 'Lost atlantis'],
    )
    const plain: ProductWindow = (await shop.app.inject('/api/product/onSale?tracked=yes')).json()
    assert.deepEqual([titles(plain), plain.facets], [['Snapper, whole'], null], 'counted only when asked')
  })

  test(`${name}: counts follow a recall, its withdrawal, a box taken off sale and a special that ends`, async () => {
    await using shop = await shopWithFacets(open)
    const shown = async () => {
      const { tracked = [], bestBy = [], method = [], special = [] } = counted(await ask(shop, ''))
      return [tracked, bestBy.length, method, special]
    }
    const before = [['yes 1'], 2, ['purse-seine 1'], ['yes 2']]
    const without = [[], 0, [], ['yes 2']]
    assert.deepEqual(await shown(), before)
    await shop.admin('POST', '/api/box/BOX-1/recall', { reason })
    assert.deepEqual(await shown(), without)
    assert.equal((await ask(shop, 'bestBy=2026-11-24')).total, 0)
    await shop.admin('POST', '/api/box/BOX-1/recall/withdrawal', { reason })
    assert.deepEqual(await shown(), before)
    await shop.admin('PUT', '/api/box/BOX-1/sale', { offSale: true, reason })
    assert.deepEqual(await shown(), without)
    await shop.admin('PUT', '/api/box/BOX-1/sale', { offSale: false })
    const ended = await shop.admin('PATCH', '/api/product/tuna', { discount: 0 })
    assert.equal(ended.statusCode, 200, ended.body)
    assert.deepEqual(await shown(), [...before.slice(0, 3), ['yes 1']])
  })
}

test('freshness goes by the word of the day; what is past its best or of an unknown state keeps until no date', async () => {
  const [, open] = testDatabases[0] ?? assert.fail()
  await using shop = await shopWithFacets(open)
  const { db, catalogue } = shop.deps
  const [row] = await db.select().from(boxes).where(eq(boxes.id, 'BOX-1'))
  const fresh = async (day: string) => {
    now = new Date(`${day}T01:00:00Z`)
    return counted(await ask(shop, '')).fresh
  }
  assert.deepEqual(await fresh('2026-11-23'), ['5 1', '4 1'])
  assert.deepEqual(await fresh('2026-11-25'), ['4 1'])
  assert.equal(await fresh('2026-11-27'), undefined, 'to be used soon')
  now = NOW
  const set = async (more: object) => {
    assert.ok(row?.summary)
    await db
      .update(boxes)
      .set({ summary: { ...row.summary, ...more } })
      .where(eq(boxes.id, 'BOX-1'))
    catalogue.clear()
    return counted(await ask(shop, '')).bestBy
  }
  const soon = { at: '2026-11-21T23:00:00.000Z', temperature: 18, unknownFrom: '2026-11-22T02:00:00.000Z' }
  assert.equal((await set({ warm: soon }))?.length, 2)
  assert.equal(counted(await ask(shop, '')).fresh, undefined, 'a warm one is at best to be used soon')
  now = new Date(soon.unknownFrom)
  assert.equal(counted(await ask(shop, '')).bestBy, undefined, 'unknown from that moment on')
  now = NOW
  const warm = { at: '2026-11-20T00:00:00.000Z', temperature: 18, unknownFrom: '2026-11-20T01:00:00.000Z' }
  assert.equal(await set({ warm }), undefined)
  assert.equal((await set({}))?.length, 2)
  const over = '2026-11-21T00:00:00.000Z'
  assert.equal(await set({ wordFrom: { good: over, useSoon: over, over } }), undefined)
})

test('a choice that is none is refused with its field', async () => {
  const [, open] = testDatabases[0] ?? assert.fail()
  await using shop = await shopWithFacets(open)
  for (const [field, ...wrong] of [
    [
      'origin',
      'x'.repeat(10_000),
      'x'.repeat(1_000),
      '((',
      '🐟',
      'New Zealand',
      'a,,b',
      ',',
      'a-',
      'a.*',
      "'; --",
    ],
    ['method', '=1+1', '@SUM(A1)', 'x'.repeat(61), '\u0000'],
    ['cut', Array.from({ length: 11 }, (_, i) => `c${i}`).join(',')],
    ['bestBy', '2026-02-30', '30.11.2026', 'soon', '2026-11-28,2026-11-29', '9'.repeat(10_000)],
    ['tracked', 'no', '1', 'true'],
    ['special', '🐟'],
    ['facets', 'no'],
  ] as const)
    for (const one of wrong) {
      const answer = await shop.app.inject(`/api/product/onSale?${field}=${encodeURIComponent(one)}`)
      assert.equal(answer.statusCode, 400, `${field}=${one}`.slice(0, 40))
      const { path } = answer.json().error.fields?.[0] ?? {}
      const isRead = one.length < 10_000 && one !== '\u0000' // else refused before its fields are read
      if (isRead) assert.ok(`${path}`.startsWith(field), `${field}=${one.slice(0, 20)}: ${answer.body}`)
    }
  assert.equal((await ask(shop, 'origin=&cut=&bestBy=')).total, 4, 'nothing chosen')
})

test('of names that suppliers write only the most frequent are offered, and what was chosen', async () => {
  const [, open] = testDatabases[0] ?? assert.fail()
  await using shop = await testShop({ open })
  const many = Array.from({ length: 40 }, (_, i) => ({
    id: `p${i}`,
    title: `Fish ${i}`,
    origin: `Land ${i}, Australia`,
  }))
  await fillShelf(shop, many)
  const { origin = [] } = counted(await ask(shop, 'origin=land-39'))
  assert.equal(origin.length, 13)
  assert.ok(origin.includes('australia 40') && origin.includes('land-39 1*'))
})

test('what a product is sold as stands in its title or unit, in whole words', () => {
  const cuts = (title: string, unit = 'kg') => cutsOf(title, unit).map(({ value }) => value)
  for (const [title, ...want] of [
    ['Snapper, whole', 'whole'],
    ['Flathead filets', 'fillets'],
    ['Mackerel cutlets', 'cutlets'],
    ['Tuna steak', 'cutlets'],
    ['Scallops, half shell', 'half-shell'],
    ['Eastern king prawns, raw', 'raw'],
    ['Green prawns', 'raw'],
    ['Greenlip abalone'],
    ['King prawns, cooked', 'cooked'],
    ['Oliver’s crab'],
    ['Wholesale ice'],
  ] as const)
    assert.deepEqual(cuts(title), want, title)
  assert.deepEqual(cuts('Snapper', 'fillet'), ['fillets'])
})
