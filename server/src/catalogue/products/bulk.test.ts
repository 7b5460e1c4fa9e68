import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { noSchedule } from '@befaqt/domain/schedule'
import { desc, eq } from 'drizzle-orm'
import { files } from '#server/db/schema/files.ts'
import { categories, changes, productImages, products } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

async function stock({ deps }: TestShop): Promise<void> {
  await deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await deps.db.insert(products).values([
    { id: 'a', title: 'A', categoryId: 'c', priceCents: 333, stock: 1 },
    { id: 'b', title: 'B', categoryId: 'c', priceCents: 1000, stock: 2 },
    { id: 'x', title: 'X', categoryId: 'c', priceCents: 500, stock: 3 },
  ])
}

const prices = async ({ deps }: TestShop) =>
  (await deps.db.select().from(products).orderBy(products.id)).map(({ priceCents }) => priceCents)

test('a bulk change sets status, stock and price of many products; others stay, and each change is in the history', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  const bulk = (set: object) => admin('POST', '/api/product/bulk', { ids: ['b', 'a'], set })
  const { rows, changed } = (await bulk({ priceFactor: 1.1 })).json()
  assert.deepEqual(
    [changed, rows.map(({ change, ...row }: { change: number }) => row)],
    [
      2,
      [
        {
          _id: 'a',
          version: 2,
          category_id: 'c',
          status: 'ACTIVE',
          stock: 1,
          price: 3.66,
          discount: 0,
          schedule: noSchedule,
        },
        {
          _id: 'b',
          version: 2,
          category_id: 'c',
          status: 'ACTIVE',
          stock: 2,
          price: 11,
          discount: 0,
          schedule: noSchedule,
        },
      ],
    ],
  )
  assert.deepEqual(await prices(shop), [366, 1100, 500])
  await bulk({ priceDelta: -0.66 })
  assert.deepEqual(await prices(shop), [300, 1034, 500])
  await bulk({ priceValue: 19.99, stock: 7, status: 'INACTIVE' })
  assert.deepEqual(await prices(shop), [1999, 1999, 500])
  assert.deepEqual((await bulk({ stock: 7 })).json(), { changed: 0, rows: [] })
  assert.equal(await shop.deps.db.$count(changes), 6)
  assert.deepEqual(
    (await shop.app.inject('/api/product/active')).json().map((p: { _id: string }) => p._id),
    ['x'],
  )
  const stale = await admin('PATCH', '/api/product/a', { price: 1 }, { 'if-match': '"1"' })
  assert.equal(stale.statusCode, 409, 'a bulk change is a change like any other')
})

test('one product that cannot be changed keeps the whole bulk change from being made', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  const bad: [number, object][] = [
    [400, { ids: ['a', 'b'], set: { priceDelta: -5 } }],
    [400, { ids: ['a'], set: { priceValue: -1 } }],
    [400, { ids: ['a'], set: { priceValue: 1.005 } }],
    [400, { ids: ['a'], set: { priceFactor: -1 } }],
    [400, { ids: ['a'], set: { priceFactor: 2, priceDelta: 1 } }],
    [400, { ids: ['a'], set: { stock: 1e9 } }],
    [400, { ids: ['a'], set: { title: 'no' } }],
    [400, { ids: ['a'], set: {} }],
    [400, { ids: [], set: { stock: 1 } }],
    [404, { ids: ['a', 'gone'], set: { stock: 9 } }],
  ]
  for (const [status, body] of bad)
    assert.equal((await admin('POST', '/api/product/bulk', body)).statusCode, status, JSON.stringify(body))
  assert.deepEqual(await prices(shop), [333, 1000, 500])
  assert.equal(await shop.deps.db.$count(changes), 0)
})

test('undoing a bulk change puts back only what it changed, and leaves what was changed since', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  const bulk = async (ids: string[], set: object) =>
    (await admin('POST', '/api/product/bulk', { ids, set })).json().rows
  const undo = (changes: unknown) => admin('POST', '/api/product/bulk/undo', { changes })
  const idsOf = (rows: { change: number }[]) => rows.map(({ change }) => change)

  const first = await bulk(['a', 'b'], { priceFactor: 2 })
  await bulk(['b'], { stock: 9 })
  const { rows, left } = (await undo(idsOf(first))).json()
  assert.deepEqual(left, ['b'])
  assert.deepEqual(
    rows.map(({ change, ...row }: { change: number }) => row),
    [
      {
        _id: 'a',
        version: 3,
        category_id: 'c',
        status: 'ACTIVE',
        stock: 1,
        price: 3.33,
        discount: 0,
        schedule: noSchedule,
      },
    ],
  )
  assert.deepEqual(await prices(shop), [333, 2000, 500])
  assert.deepEqual(
    (await undo(idsOf(first))).json(),
    { rows: [], removed: [], left: ['a', 'b'] },
    'once is enough',
  )

  const dear = await bulk(['x'], { priceFactor: 2 })
  await admin('PATCH', '/api/product/x', { stock: 0 })
  assert.deepEqual((await undo(idsOf(dear))).json(), { rows: [], removed: [], left: ['x'] })
  await admin('PATCH', '/api/product/x', { title: 'X, whole' })
  const [, ofTitle] = await shop.deps.db.select().from(changes).orderBy(desc(changes.id)).limit(2)
  const bad: [number, unknown][] = [
    [400, [(ofTitle?.id ?? 0) + 1]],
    [400, []],
    [400, ['1']],
    [404, [1_000_000]],
  ]
  const before = await shop.deps.db.$count(changes)
  for (const [status, ids] of bad) assert.equal((await undo(ids)).statusCode, status, JSON.stringify(ids))
  assert.equal(await shop.deps.db.$count(changes), before)
})

test('products are marked down at once, and the former discount comes back by an undo', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  const discounts = async () =>
    (await shop.deps.db.select().from(products).orderBy(products.id)).map(({ discount }) => discount)
  const bulk = (discount: unknown) =>
    admin('POST', '/api/product/bulk', { ids: ['a', 'b'], set: { discount } })
  const first = (await bulk(10)).json()
  assert.deepEqual([first.changed, await discounts(), await prices(shop)], [2, [10, 10, 0], [333, 1000, 500]])
  assert.equal((await bulk(10)).json().changed, 0, 'twice is once')
  const second = (await bulk(25)).json()
  const undo = (rows: { change: number }[]) =>
    admin('POST', '/api/product/bulk/undo', { changes: rows.map(({ change }) => change) })
  assert.equal((await undo(first.rows)).json().left.length, 2, 'it was changed since')
  assert.deepEqual((await undo(second.rows)).json().left, [])
  assert.deepEqual(await discounts(), [10, 10, 0])
  for (const odd of [-1, 101, 2.5, '10']) assert.equal((await bulk(odd)).statusCode, 400, String(odd))
})

for (const [name, open] of testDatabases)
  test(`${name}: products are moved to another category at once, and back by an undo, unless it is gone`, async () => {
    await using shop = await testShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await stock(shop)
    await shop.deps.db.insert(categories).values({ id: 'd', title: 'Bait', titleKey: 'bait', shelfPos: '2' })
    const bulk = (category_id: unknown) =>
      admin('POST', '/api/product/bulk', { ids: ['a', 'b'], set: { category_id } })
    const places = async () =>
      (await shop.deps.db.select().from(products).orderBy(products.id)).map(({ categoryId }) => categoryId)
    const undo = (rows: { change: number }[]) =>
      admin('POST', '/api/product/bulk/undo', { changes: rows.map(({ change }) => change) })
    const moved = (await bulk('d')).json()
    assert.deepEqual(
      moved.rows.map((row: { category_id: string }) => row.category_id),
      ['d', 'd'],
    )
    assert.deepEqual(await places(), ['d', 'd', 'c'])
    assert.equal((await bulk('d')).json().changed, 0)
    assert.deepEqual((await undo(moved.rows)).json().left, [])
    assert.deepEqual(await places(), ['c', 'c', 'c'])

    const gone = await bulk('gone')
    assert.deepEqual(
      [gone.statusCode, gone.json().error.fields],
      [400, [{ path: 'set.category_id', message: 'There is no such category (any more).' }]],
    )
    await shop.deps.db.update(products).set({ categoryId: 'd' })
    const back = (await bulk('c')).json()
    await shop.deps.db.update(products).set({ categoryId: 'c' })
    await shop.deps.db.delete(categories).where(eq(categories.id, 'd'))
    assert.deepEqual((await undo(back.rows)).json(), { rows: [], removed: [], left: ['a', 'b'] })
    assert.deepEqual(await places(), ['c', 'c', 'c'])
  })

for (const [name, open] of testDatabases)
  test(`${name}: copies are drafts without stock, made once however often they are asked for, and an undo removes those that still are`, async () => {
    await using shop = await testShop({ open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await stock(shop)
    const { db } = shop.deps
    await db.insert(files).values({
      path: '/images/a.webp',
      mediaType: 'image/webp',
      bytes: 1,
      width: 1,
      height: 1,
      objectKey: 'o',
    })
    await db
      .insert(productImages)
      .values({ productId: 'a', position: 0, path: '/images/a.webp', alt: 'A fish' })
    const key = randomUUID()
    const duplicate = (ids: string[]) => admin('POST', '/api/product/duplicate', { ids, key })
    const { rows } = (await duplicate(['a', 'b'])).json()
    assert.deepEqual(
      rows.map(({ title, of }: { title: string; of: string }) => [title, of]),
      [
        ['A (copy)', 'a'],
        ['B (copy)', 'b'],
      ],
    )
    assert.deepEqual((await duplicate(['a', 'b'])).json().rows, rows, 'an answer may be lost')
    assert.equal(await db.$count(products), 5)
    const [copy] = (await admin('GET', '/api/product?draft=1')).json().rows
    assert.deepEqual(
      [copy.title, copy.isDraft, copy.status, copy.stock, copy.price, copy.images[0].alt],
      ['A (copy)', true, 'INACTIVE', 0, 3.33, 'A fish'],
    )
    assert.equal((await duplicate(['a', 'gone'])).statusCode, 404)
    assert.equal((await admin('POST', '/api/product/duplicate', { ids: ['a'], key: 'x' })).statusCode, 400)

    await admin('PATCH', `/api/product/${rows[1]._id}`, { stock: 4 })
    const changes = rows.map(({ change }: { change: number }) => change)
    const undone = (await admin('POST', '/api/product/bulk/undo', { changes })).json()
    assert.deepEqual(undone, { rows: [], removed: [rows[0]._id], left: [rows[1]._id] })
    const left = await db.select({ id: products.id }).from(products).orderBy(products.id)
    assert.deepEqual(left.map(({ id }) => id).sort(), ['a', 'b', 'x', rows[1]._id].sort())
  })

test('a draft is an INACTIVE product that was never ACTIVE, whichever way it became so', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  await shop.deps.db.insert(products).values([
    { id: 'p', title: 'P', categoryId: 'c', status: 'INACTIVE' },
    { id: 'q', title: 'Q', categoryId: 'c', status: 'INACTIVE' },
    { id: 'r', title: 'R', categoryId: 'c', status: 'DISABLED' },
  ])
  const drafts = async () =>
    (await admin('GET', '/api/product?draft=1')).json().rows.map(({ _id }: { _id: string }) => _id)
  const set = (ids: string[], status: string) => admin('POST', '/api/product/bulk', { ids, set: { status } })
  assert.deepEqual(await drafts(), ['p', 'q'])
  await set(['a', 'r'], 'INACTIVE')
  assert.deepEqual(await drafts(), ['p', 'q', 'r'], 'one that was on sale is no draft when it is taken off')
  const { rows } = (await set(['p'], 'ACTIVE')).json()
  await admin('POST', '/api/product/bulk/undo', { changes: [rows[0].change] })
  assert.equal((await admin('GET', '/api/product/p/manage')).json().status, 'INACTIVE')
  assert.deepEqual(await drafts(), ['q', 'r'], 'it was ACTIVE, if only for a moment')
})

test('the name of a copy that would be too long ends with a whole character', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await stock(shop)
  const title = `${'a'.repeat(112)}🐟`
  assert.equal((await admin('PATCH', '/api/product/a', { title })).statusCode, 200)
  const made = await admin('POST', '/api/product/duplicate', { ids: ['a'], key: randomUUID() })
  assert.equal(made.statusCode, 200, made.body)
  assert.equal(made.json().rows[0].title, `${'a'.repeat(112)} (copy)`)
})
