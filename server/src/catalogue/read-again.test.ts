import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { EventFeed } from '#server/db/event-feed.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { orderLines, orders, slots } from '#server/db/schema/orders.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { Catalogue } from './catalogue.ts'
import { type CatalogueTx, changeCatalogue } from './change-catalogue.ts'

const MANY = 2_000

/** Many products, the first of which comes from box B1. */
async function fill({ deps }: TestShop): Promise<void> {
  await deps.db.insert(categories).values([
    { id: 'c1', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'c2', title: 'Gone', titleKey: 'gone', shelfPos: '2', status: 'INACTIVE' },
  ])
  const all = Array.from({ length: MANY }, (_, i) => ({
    id: `p${i}`,
    title: `Fish ${String(i).padStart(4, '0')}`,
    categoryId: 'c1',
    priceCents: 100,
    stock: 9,
  }))
  for (let at = 0; at < MANY; at += 500) await deps.db.insert(products).values(all.slice(at, at + 500))
  await deps.db.insert(boxes).values({ id: 'B1', head: '00' })
  await deps.db.insert(productBoxes).values({ productId: 'p0', boxId: 'B1', quantity: 5, unit: 'kg' })
  deps.catalogue.clear()
}

/** As the shop does it: one of p9 is sold. */
async function placeOrderOfOne(tx: CatalogueTx): Promise<void> {
  const hour = sql`now() + interval '1 hour'`
  await tx.insert(slots).values({
    ...{ id: 's', kind: 'pickup', capacity: 9, timeZone: 'UTC' },
    ...{ startsAt: hour, endsAt: hour, cutOffAt: hour },
  })
  await tx.insert(orders).values({
    ...{ id: 'o', number: 'BF-1', status: 'PLACED', kind: 'pickup', slotId: 's', slotStartsAt: hour },
    ...{ agreedCents: 100, tolerancePercent: 10, deliveryCents: 0, totalCents: 100 },
  })
  await tx.insert(orderLines).values({
    ...{ orderId: 'o', position: 1, productId: 'p9', title: 'Fish', priceCents: 100, discount: 0 },
    ...{ unit: 'kg', includeGst: false, quantity: 1, orderedGrams: 1_000 },
  })
  await tx.update(products).set({ stock: 8 }).where(eq(products.id, 'p9'))
}

/** The database of another process, whose rows of products are counted: those that are read with all their columns. */
function counted({ deps }: TestShop) {
  let rows = 0
  const db = new Proxy(deps.db, {
    get(target, name, receiver) {
      if (name !== 'select') return Reflect.get(target, name, receiver)
      return (...fields: Parameters<typeof target.select>) => {
        const isProduct = fields[0] !== undefined && 'shelf' in fields[0]
        const query = target.select(...fields)
        return isProduct ? countRows(query, (n) => (rows += n)) : query
      }
    },
  })
  return { database: { db, answers: deps.database.answers }, rows: () => rows }
}

/** The query, which tells how many rows it answered when it is awaited. */
function countRows<Query extends object>(query: Query, tell: (rows: number) => void): Query {
  return new Proxy(query, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name === 'then')
        return (done: (rows: unknown[]) => unknown, failed: unknown) =>
          value.call(
            target,
            (rows: unknown[]) => {
              tell(rows.length)
              return done(rows)
            },
            failed,
          )
      return (...args: unknown[]) => countRows(value.apply(target, args), tell)
    },
  })
}

for (const [name, open] of testDatabases)
  test(`${name}: a changed product costs one product, here and in other processes, and the others stay what they are`, async () => {
    await using shop = await testShop({ open })
    await fill(shop)
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const { database, rows } = counted(shop)
    const other = new Catalogue(database, shop.deps.siteFile.market.timeZone)
    const stop = await new EventFeed(shop.database, shop.deps.log).start([other], 3_600_000)
    let heard = Promise.withResolvers<void>()
    other.onChange(() => heard.resolve())
    const told = async (change: () => Promise<{ statusCode: number; body: string }>) => {
      heard = Promise.withResolvers()
      const answer = await change()
      assert.ok(answer.statusCode < 300, answer.body)
      await heard.promise
      return other.snapshot()
    }
    const first = await told(() => admin('PATCH', '/api/product/p1', { price: 2 }))
    assert.ok(rows() >= MANY)
    const read = rows()

    const priced = await told(() => admin('PATCH', '/api/product/p7', { price: 9.5 }))
    assert.equal(rows() - read, 1)
    assert.equal(priced.product('p7').price, 9.5)
    assert.equal(priced.products.length, MANY)
    assert.deepEqual(
      priced.products.filter((product, i) => product !== first.products[i]).map(({ _id }) => _id),
      ['p7'],
    )
    assert.equal(priced.categories, first.categories)

    const moved = await told(() => admin('PATCH', '/api/product/p7', { shelfPos: '0.1' }))
    assert.equal(moved.products[0]?._id, 'p7')
    const hidden = await told(() => admin('PATCH', '/api/product/p7', { status: 'INACTIVE' }))
    assert.equal(hidden.products.length, MANY - 1)
    assert.throws(() => hidden.product('p7'))
    const again = await told(() => admin('PATCH', '/api/product/p7', { status: 'ACTIVE' }))
    assert.equal(again.product('p7').price, 9.5)
    const away = await told(() => admin('PATCH', '/api/product/p7', { category_id: 'c2' }))
    assert.throws(() => away.product('p7'))
    await told(() => admin('PATCH', '/api/product/p7', { category_id: 'c1' }))

    const off = await told(() => admin('PUT', '/api/box/B1/sale', { offSale: true, reason: 'warm' }))
    assert.equal(off.product('p0').stock, 0)
    const back = await told(() => admin('PUT', '/api/box/B1/sale', { offSale: false, reason: 'cold' }))
    assert.equal(back.product('p0').stock, 5)
    assert.ok(rows() - read <= 8, `${rows() - read} rows for 8 changes`)

    const beforeOrder = rows()
    const cancelled = await told(async () => {
      await changeCatalogue(shop.deps, placeOrderOfOne, undefined, { order: 'o' })
      return { statusCode: 200, body: '' }
    })
    assert.equal(cancelled.product('p9').stock, 8, 'an order names its products')
    const links = await told(() => admin('PUT', '/api/product/p3/boxes', [{ boxID: 'B1', quantity: 2 }]))
    assert.equal(links.product('p3').stock, 2)
    await told(() => admin('PATCH', '/api/product/p8', { status: 'DISABLED' }))
    const gone = await told(() => admin('DELETE', '/api/product/p8'))
    assert.throws(() => gone.product('p8'))
    assert.ok(
      rows() - beforeOrder <= 2,
      `${rows() - beforeOrder} rows for an order, links and a product that goes`,
    )

    const whole = await told(() => admin('PATCH', '/api/category/c1', { title: 'Fishes' }))
    assert.equal(whole.categories[0]?.title, 'Fishes')
    assert.ok(rows() - read >= MANY, 'a category concerns all')
    assert.deepEqual((await shop.deps.catalogue.snapshot()).products, whole.products)
    await stop()
  })

test('a change that was read asks the database nothing more', async () => {
  await using shop = await testShop()
  await fill(shop)
  let asked = 0
  const answers = async () => ++asked > 0
  const catalogue = new Catalogue({ db: shop.deps.db, answers }, shop.deps.siteFile.market.timeZone)
  await catalogue.snapshot()
  for (let i = 0; i < 3; i++) {
    catalogue.clear()
    await catalogue.snapshot()
  }
  const before = asked // a slow machine asks while it reads
  await sleep(1_500)
  assert.equal(asked, before)
})
