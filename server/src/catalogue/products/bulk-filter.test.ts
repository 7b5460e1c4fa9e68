import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { categories, changes, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const N = 312

/** A shop with `N` breams in one category, every third of them INACTIVE, and one cod in another. */
async function shopWith(
  open: () => Promise<TestShop['database']>,
): Promise<TestShop & { admin: Caller; bulk: Caller }> {
  const shop = await testShop({ open })
  const { db } = shop.deps
  await db.insert(categories).values([
    { id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'd', title: 'Cod', titleKey: 'cod', shelfPos: '2' },
  ])
  await db.insert(products).values([
    ...Array.from({ length: N }, (_, i) => ({
      id: `p${i}`,
      title: `Bream ${i}`,
      categoryId: 'c',
      priceCents: 1000 + i,
      stock: i,
      status: i % 3 === 0 ? ('INACTIVE' as const) : ('ACTIVE' as const),
    })),
    { id: 'cod', title: 'Cod', categoryId: 'd', priceCents: 500, stock: 3, status: 'ACTIVE' },
  ])
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const bulk: Caller = (method, url, ...rest) => admin(method, `/api/product/${url}`, ...rest)
  return { ...shop, admin, bulk }
}

const everything = ({ deps }: TestShop) => deps.db.select().from(products).orderBy(products.id)

const typed = async (shop: TestShop) =>
  (await everything(shop)).map(({ version: _, updatedAt: _at, everActive: _was, ...row }) => row)

/** A moment to come, in market time. */
const nextYear = `${new Date().getUTCFullYear() + 1}-01-02T10:00`

const kinds: readonly object[] = [
  { status: 'DISABLED' },
  { priceFactor: 1.1 },
  { priceValue: 3.5 },
  { priceDelta: -1 },
  { discount: 25 },
  { stock: 7 },
  { category_id: 'd' },
  { schedule: { sale: { from: null, until: nextYear } } },
]

for (const [name, open] of testDatabases) {
  test(`${name}: every kind of change is made of all that a filter matches and of nothing else, as its preview says, and an undo takes it back`, async () => {
    await using shop = await shopWith(open)
    for (const set of kinds) {
      const before = await typed(shop)
      const body = { filter: { q: 'bream', category: 'c' }, count: N, set }
      const preview = (await shop.bulk('POST', 'bulk/preview', body)).json()
      assert.deepEqual(await typed(shop), before, 'a preview writes nothing')
      const answer = await shop.bulk('POST', 'bulk', body)
      assert.equal(answer.statusCode, 200, answer.body)
      const made = answer.json()
      assert.deepEqual([preview.matched, preview.changed], [N, made.changed], JSON.stringify(set))
      assert.ok(made.changed >= N - 1 && preview.rows.length === 20)
      const after = await everything(shop)
      assert.deepEqual(
        preview.rows.map(({ title }: { title: string }) => title),
        after
          .filter(({ id }) => made.rows.some(({ _id }: { _id: string }) => _id === id))
          .map(({ title }) => title)
          .sort((a, b) => (a < b ? -1 : 1))
          .slice(0, 20),
      )
      const cod = before.find(({ id }) => id === 'cod')
      assert.deepEqual(
        (await typed(shop)).find(({ id }) => id === 'cod'),
        cod,
      )
      const numbers = made.rows.map(({ change }: { change: number }) => change)
      const undone = (await shop.bulk('POST', 'bulk/undo', { changes: numbers })).json()
      assert.deepEqual([undone.rows.length, undone.left], [made.changed, []])
      assert.deepEqual(await typed(shop), before, JSON.stringify(set))
    }
  })

  test(`${name}: what matches is compared with what was counted: where one appears or is gone nothing is changed, and the new count is answered`, async () => {
    await using shop = await shopWith(open)
    const { db } = shop.deps
    const body = { filter: { status: 'INACTIVE' }, count: N / 3, set: { stock: 1 } }
    const refused = async (count: number, asked: object = body) => {
      const before = [await everything(shop), await db.$count(changes)]
      for (const url of ['bulk', 'bulk/preview']) {
        const answer = await shop.bulk('POST', url, asked)
        const { code, count: now } = answer.json().error
        assert.deepEqual([answer.statusCode, code, now], [409, 'conflict', count], answer.body)
      }
      assert.deepEqual([await everything(shop), await db.$count(changes)], before)
    }
    await db.update(products).set({ status: 'ACTIVE' }).where(eq(products.id, 'p0'))
    await refused(N / 3 - 1)
    await db.update(products).set({ status: 'INACTIVE' }).where(eq(products.categoryId, 'd'))
    await db.update(products).set({ status: 'INACTIVE' }).where(eq(products.id, 'p0'))
    await refused(N / 3 + 1)
    await refused(0, { ...body, filter: { q: 'no such fish' } })
    await refused(0, { ...body, filter: { category: 'gone' } })
    await refused(N + 1, { ...body, filter: {}, count: 2 })
    const all = await shop.bulk('POST', 'bulk', { ...body, filter: {}, count: N + 1 })
    assert.equal(all.json().changed, N, 'one had it; an empty filter is all products')
  })

  test(`${name}: of two people who change all that matches at once, the second changes nothing`, async () => {
    await using shop = await shopWith(open)
    const other = await callerOf(shop, 'other', 'USER', ['shop:write'])
    const body = { filter: { status: 'INACTIVE' }, count: N / 3, set: { status: 'DISABLED' } }
    const answers = await Promise.all([
      shop.bulk('POST', 'bulk', body),
      other('POST', '/api/product/bulk', body),
    ])
    const [made, refused] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
    assert.deepEqual([made?.statusCode, made?.json().changed], [200, N / 3])
    assert.deepEqual([refused?.statusCode, refused?.json().error.count], [409, 0])
    assert.equal(await shop.deps.db.$count(changes), N / 3)
  })

  test(`${name}: all that matches is copied once, though the copies match, too, and an undo removes them`, async () => {
    await using shop = await shopWith(open)
    const { db } = shop.deps
    const body = { filter: { q: 'bream' }, count: N, key: randomUUID() }
    const first = await shop.bulk('POST', 'duplicate', body)
    assert.equal(first.statusCode, 200, first.body)
    assert.equal(await db.$count(products), 2 * N + 1)
    assert.deepEqual(
      (await shop.bulk('POST', 'duplicate', body)).json(),
      first.json(),
      'an answer may be lost',
    )
    assert.equal(await db.$count(products), 2 * N + 1)
    const next = await shop.bulk('POST', 'duplicate', { ...body, key: randomUUID() })
    assert.deepEqual([next.statusCode, next.json().error.count], [409, 2 * N])
    const numbers = first.json().rows.map(({ change }: { change: number }) => change)
    const undone = (await shop.bulk('POST', 'bulk/undo', { changes: numbers })).json()
    assert.deepEqual([undone.removed.length, undone.left], [N, []])
    assert.equal(await db.$count(products), N + 1)
    const many = await shop.bulk('POST', 'duplicate', { ...body, count: 501 })
    assert.deepEqual(many.json().error.fields, [
      { path: 'count', message: 'at most 500 products can be chosen at once' },
    ])
  })
}

test('products are named in one way, by a filter that there is, and by who may change them', async () => {
  const [[, open] = assert.fail()] = testDatabases
  await using shop = await shopWith(open)
  const set = { stock: 1 }
  const bad: [paths: string[], body: object][] = [
    [['filter'], { ids: ['p1'], filter: {}, count: 1, set }],
    [['ids'], { set }],
    [['count'], { filter: {}, set }],
    [['count'], { ids: ['p1'], count: 1, set }],
    [['count'], { filter: {}, count: 0, set }],
    [['count'], { filter: {}, count: 1.5, set }],
    [['count'], { filter: {}, count: 10_001, set }],
    [['count'], { filter: {}, count: '1', set }],
    [['filter.page'], { filter: { page: 1 }, count: 1, set }],
    [['filter.status'], { filter: { status: 'SOLD' }, count: 1, set }],
    [['filter.draft'], { filter: { draft: true }, count: 1, set }],
    [['filter.q'], { filter: { q: 'a\0' }, count: 1, set }],
    [['filter'], { filter: 'all', count: 1, set }],
    [['set'], { filter: { q: 'bream' }, count: N, set: { priceDelta: -11 } }],
  ]
  for (const [paths, body] of bad)
    for (const url of ['bulk', 'bulk/preview']) {
      const answer = await shop.bulk('POST', url, body)
      assert.equal(answer.statusCode, 400, `${url} ${JSON.stringify(body)}: ${answer.body}`)
      const found: { path: string }[] = answer.json().error.fields
      assert.deepEqual([...new Set(found.map(({ path }) => path))], paths, JSON.stringify(body))
    }
  const reader = await callerOf(shop, 'reader', 'USER', ['order:read'])
  const body = { filter: {}, count: N + 1, set }
  for (const url of ['bulk', 'bulk/preview', 'duplicate']) {
    assert.equal((await reader('POST', `/api/product/${url}`, body)).statusCode, 403)
    assert.equal(
      (await shop.app.inject({ method: 'POST', url: `/api/product/${url}`, payload: body })).statusCode,
      401,
    )
  }
  assert.equal(await shop.deps.db.$count(changes), 0)
})

/** What waits for a lock in this database. */
const waiting = sql`select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('PostgreSQL: what no longer matches when its lock is had is not changed', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopWith(testPostgres)
  const { db } = shop.deps
  for (const [change, count] of [
    [{ status: 'ACTIVE' as const }, N / 3 - 1],
    [{ title: 'Bream, still INACTIVE' }, null],
  ] as const) {
    const body = { filter: { status: 'INACTIVE' }, count: N / 3, set: { discount: 10 } }
    const [answer] = await db.transaction(async (tx) => {
      await tx.update(products).set(change).where(eq(products.id, 'p3'))
      const answer = shop.bulk('POST', 'bulk', body)
      while ((await rows(db, waiting)).length === 0) await setTimeout(20)
      return [answer]
    })
    const { statusCode, body: said } = await (answer as ReturnType<Caller>)
    if (count === null) assert.equal(statusCode, 200, said)
    else {
      assert.deepEqual([statusCode, JSON.parse(said).error.count], [409, count])
      await db.update(products).set({ status: 'INACTIVE' }).where(eq(products.id, 'p3'))
      assert.equal(await db.$count(products, eq(products.discount, 10)), 0)
    }
  }
})

for (const [name, open] of testDatabases)
  test(`${name}: 10,000 products are changed in one call and undone in one`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
    await db.execute(
      sql`insert into products (id, title, category_id, price_cents)
          select 'p' || n, 'Bream ' || n, 'c', 1000 from generate_series(1, 10000) n`,
    )
    const body = { filter: { q: 'bream' }, count: 10_000, set: { priceFactor: 1.1 } }
    const made = await admin('POST', '/api/product/bulk', body)
    assert.deepEqual([made.statusCode, made.json().changed], [200, 10_000])
    assert.equal(await db.$count(products, eq(products.priceCents, 1100)), 10_000)
    const numbers = made.json().rows.map(({ change }: { change: number }) => change)
    const undone = await admin('POST', '/api/product/bulk/undo', { changes: numbers })
    assert.deepEqual([undone.json().rows.length, undone.json().left], [10_000, []])
    assert.equal(await db.$count(products, eq(products.priceCents, 1000)), 10_000)
  })
