import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ProductView } from '@befaqt/domain/catalogue'
import { eq } from 'drizzle-orm'
import type { Database } from '#server/db/client.ts'
import { EventFeed } from '#server/db/event-feed.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { Catalogue } from './catalogue.ts'
import { type CatalogueTx, changeCatalogue } from './change-catalogue.ts'

type Shop = Awaited<ReturnType<typeof testShop>>

/** Two categories and three products, of which one product of one category is on show. */
async function stock({ deps }: Shop): Promise<void> {
  const category = { icon: 'fish', description: '', imageAlt: '' }
  await deps.db.insert(categories).values([
    { ...category, id: 'c0', title: 'Boxes on track', titleKey: 'boxesontrack', shelfPos: '0' },
    { ...category, id: 'c1', title: 'Tuna and kingfish', titleKey: 'tunaandkingfish', shelfPos: '1' },
    { ...category, id: 'c2', title: 'Gone', titleKey: 'gone', shelfPos: '2', status: 'INACTIVE' },
  ])
  await deps.db.insert(products).values([
    { id: 'p1', title: 'Albacore', categoryId: 'c1', priceCents: 2405, discount: 10, stock: 3 },
    { id: 'p2', title: 'Hidden', categoryId: 'c1', status: 'INACTIVE' },
    { id: 'p3', title: 'In a hidden category', categoryId: 'c2' },
    { id: 'p4', title: 'Off', categoryId: 'c1', status: 'DISABLED' },
  ])
  deps.catalogue.clear()
}

const get = async ({ app }: Shop, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers })

for (const [name, open] of testDatabases)
  test(`${name}: the public sees ACTIVE products of ACTIVE categories, in the specification's decimals, and nothing else`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const active = (await get(shop, '/api/product/active')).json()
    assert.deepEqual(
      active.map((product: { _id: string; price: number }) => [product._id, product.price]),
      [['p1', 24.05]],
    )
    assert.deepEqual(Object.keys(active[0]).sort(), [
      '_id',
      'allergens',
      'box',
      'category_id',
      'description',
      'discount',
      'imagePaths',
      'images',
      'includeGST',
      'orderLimit',
      'origin',
      'pieceWeight',
      'preparations',
      'price',
      'saleStopped',
      'shelfPos',
      'status',
      'step',
      'stock',
      'title',
      'unit',
    ])
    assert.deepEqual(
      (await get(shop, '/api/category/active')).json().map(({ _id }: { _id: string }) => _id),
      ['c0', 'c1'],
    )
    for (const hidden of ['p2', 'p3', 'p4', 'nope', 'a%00b', '..%2F..%2Fetc'])
      assert.equal((await get(shop, `/api/product/${hidden}`)).statusCode, 404, hidden)
    assert.equal((await get(shop, '/api/product/byCategory/c2')).statusCode, 404)
    assert.equal((await get(shop, '/api/product/byCategory/c1')).json().length, 1)
  })

test('categories and products stand in the order of their shelves, 1.2 before 1.10', async () => {
  await using shop = await testShop()
  await stock(shop)
  const shelves = ['1.10', '1.2', '10', '2.1', '1.1']
  await shop.deps.db.delete(products)
  for (const shelfPos of shelves)
    await shop.deps.db.insert(products).values({ id: shelfPos, title: shelfPos, categoryId: 'c1', shelfPos })
  shop.deps.catalogue.clear()
  const active: { shelfPos: string }[] = (await get(shop, '/api/product/active')).json()
  assert.deepEqual(
    active.map(({ shelfPos }) => shelfPos),
    ['1.1', '1.2', '1.10', '2.1', '10'],
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: when products are read in several batches each appears once, in order, with its own images and box`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const { db } = shop.deps
    await db.delete(products)
    const ids = Array.from({ length: 1_001 }, (_, i) => `p${(i * 7_919) % 1_001}`)
    await db
      .insert(products)
      .values(ids.map((id, i) => ({ id, title: `T ${i}`, categoryId: 'c1', shelfPos: `1.${i}` })))
    const file = { mediaType: 'image/webp', bytes: 1, width: 6, height: 4 }
    await db.insert(files).values(['x', 'y'].map((path) => ({ ...file, path, objectKey: path })))
    const shows = ids.flatMap((id) =>
      ['y', 'x'].map((path, position) => ({ productId: id, position, path, alt: id })),
    )
    await db.insert(productImages).values(shows)
    const summary = {
      ...{ freshnessIndex: 0.5, bestBy: null, wordFrom: null, warm: null, coldChain: null },
      ...{ stage: 'at market' as const, catchPlace: null, catchTime: null },
      ...{ method: null, boat: null, trader: null },
    }
    await db.insert(boxes).values([
      { id: 'B1', head: 'h', summary },
      { id: 'B2', head: 'h', summary: { ...summary, freshnessIndex: 0.1 } },
    ])
    await db
      .insert(productBoxes)
      .values(ids.flatMap((id) => ['B1', 'B2'].map((boxId) => ({ productId: id, boxId, unit: 'kg' }))))
    shop.deps.catalogue.clear()
    const active: ProductView[] = (await get(shop, '/api/product/active')).json()
    assert.deepEqual(
      active.map(({ _id }) => _id),
      ids,
    )
    for (const { _id, imagePaths, images, box } of active)
      assert.deepEqual([imagePaths, images[0]?.alt, box?.boxID], [['y', 'x'], _id, 'B2'])
  })

test('of equally fresh boxes the one caught last is shown, whatever the format of its time', async () => {
  await using shop = await testShop()
  await stock(shop)
  const { db } = shop.deps
  const box = (id: string, freshnessIndex: number, catchTime: string, caughtAt: string) => ({
    ...{ id, head: 'h', caughtAt: new Date(caughtAt) },
    summary: {
      ...{ freshnessIndex, bestBy: null, wordFrom: null, warm: null },
      ...{ coldChain: null, stage: 'at market' as const },
      ...{ catchPlace: null, catchTime, method: null, boat: null, trader: null },
    },
  })
  await db
    .insert(boxes)
    .values([
      box('EARLIER', 0.41, '2025-11-19 04:00:00', '2025-11-18T17:00:00Z'),
      box('LATER', 0.45, '2025-11-18T18:20:00Z', '2025-11-18T18:20:00Z'),
    ])
  await db.delete(productBoxes)
  await db
    .insert(productBoxes)
    .values(['EARLIER', 'LATER'].map((boxId) => ({ productId: 'p1', boxId, unit: 'kg' })))
  shop.deps.catalogue.clear()
  assert.equal((await get(shop, '/api/product/p1')).json().box.boxID, 'LATER')
  const { summary } = box('', 0, '', '2025-11-18T18:20:00Z')
  const keeps = (day: string) => {
    const at = `2025-11-${day}T00:00:00Z`
    return { bestBy: at, wordFrom: { good: at, useSoon: at, over: at } }
  }
  const at = '2025-11-20T00:00:00Z'
  for (const [id, more] of [
    ['AT-SEA', { freshnessIndex: 0, stage: 'at sea', ...keeps('30') }],
    ['WARM', { freshnessIndex: 0, ...keeps('30'), warm: { at, temperature: 18, unknownFrom: at } }],
    ['SHORTER', { freshnessIndex: 0.1, ...keeps('27') }],
    ['KEEPS', { freshnessIndex: 1, ...keeps('28') }],
  ] as const) {
    await db.insert(boxes).values({ id, head: 'h', summary: { ...summary, ...more } })
    await db.insert(productBoxes).values({ productId: 'p1', boxId: id, unit: 'kg' })
  }
  shop.deps.catalogue.clear()
  assert.equal((await get(shop, '/api/product/p1')).json().box.boxID, 'KEEPS', 'of what can be bought')
})

test('a category is found by its title without white space', async () => {
  await using shop = await testShop()
  await stock(shop)
  for (const title of ['Tunaandkingfish', 'Tuna%20and%20kingfish', 'tunaandkingfish'])
    assert.equal((await get(shop, `/api/category/byTitle/${title}`)).json()._id, 'c1', title)
  const missing = await get(shop, '/api/category/byTitle/Gone')
  assert.equal(missing.statusCode, 404)
  assert.equal(missing.json().error.code, 'category.not_found')
})

test('a response is cached until a change is announced, and a browser that has it gets 304', async () => {
  await using shop = await testShop()
  await stock(shop)
  const first = await get(shop, '/api/product/p1', { 'accept-encoding': 'gzip' })
  assert.equal(JSON.parse(gunzipSync(first.rawPayload).toString()).price, 24.05)
  const etag = String(first.headers.etag)
  assert.equal((await get(shop, '/api/product/p1', { 'if-none-match': etag })).statusCode, 304)
  await shop.deps.db.update(products).set({ priceCents: 999 }).where(eq(products.id, 'p1'))
  assert.equal((await get(shop, '/api/product/p1')).json().price, 24.05)
  shop.deps.catalogue.clear()
  const after = await get(shop, '/api/product/p1', { 'if-none-match': etag })
  assert.equal(after.statusCode, 200)
  assert.equal(after.json().price, 9.99)
})

const renamed = (title: string) => (tx: CatalogueTx) =>
  tx.update(products).set({ title }).where(eq(products.id, 'p1'))

/** What another process writes with, or ours when it never learns the outcome of a commit. */
const elsewhere = ({ deps }: Shop) => ({ db: deps.db, catalogue: { changed: () => undefined } })

/** What a process that follows the catalogue clears, counted; `next` waits for one more. */
async function following(
  shop: Shop,
  { catalogue = shop.deps.catalogue, database = shop.database as Database, pollMs = 3_600_000 } = {},
) {
  let cleared = 0
  let heard = Promise.withResolvers<void>()
  const stop = await new EventFeed(database, shop.deps.log).start([catalogue], pollMs)
  catalogue.onChange(() => {
    cleared++
    heard.resolve()
    heard = Promise.withResolvers()
  })
  return { stop, cleared: () => cleared, next: () => heard.promise }
}

for (const [name, open] of testDatabases) {
  test(`${name}: another process is notified of a change when it commits`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const other = new Catalogue(shop.deps.database, shop.deps.siteFile.market.timeZone)
    const { stop, cleared, next } = await following(shop, { catalogue: other })
    const heard = next()
    const failed = changeCatalogue(shop.deps, async () => assert.fail('on purpose'))
    await assert.rejects(failed)
    await changeCatalogue(
      shop.deps,
      async () => 'nothing',
      () => false,
    )
    await changeCatalogue(shop.deps, renamed('Albacore tuna'))
    await heard
    assert.equal((await other.snapshot()).product('p1').title, 'Albacore tuna')
    assert.equal(cleared(), 1, 'not for what failed or changed nothing')
    await stop()
  })

  test(`${name}: a process’s own change invalidates its cache once, and is in the next response`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const { stop, cleared, next } = await following(shop)
    assert.equal((await get(shop, '/api/product/p1')).json().price, 24.05)
    const before = cleared()
    assert.equal((await admin('PATCH', '/api/product/p1', { price: 9.99 })).statusCode, 200)
    assert.equal((await get(shop, '/api/product/p1')).json().price, 9.99)
    const heard = next()
    await changeCatalogue(elsewhere(shop), renamed('Kingfish')) // comes after our own
    await heard
    assert.equal(cleared(), before + 2, 'ours and the other')
    await stop()
  })

  test(`${name}: a change whose commit result was lost is still noticed`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const { stop, next } = await following(shop)
    const heard = next()
    await changeCatalogue(elsewhere(shop), renamed('Kingfish'))
    await heard
    await stop()
  })

  test(`${name}: a process that misses notifications finds the events by itself`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const deaf: Database = { ...shop.database, listen: async () => async () => undefined }
    const { stop, cleared, next } = await following(shop, { database: deaf, pollMs: 500 })
    assert.equal((await get(shop, '/api/product/p1')).json().title, 'Albacore')
    const found = next()
    await changeCatalogue(elsewhere(shop), renamed('Kingfish'))
    await found
    assert.equal((await get(shop, '/api/product/p1')).json().title, 'Kingfish')
    assert.equal(cleared(), 1)
    await stop()
  })

  test(`${name}: changes made at once by several are all heard`, async () => {
    await using shop = await testShop({ open })
    await stock(shop)
    const other = new Catalogue(shop.deps.database, shop.deps.siteFile.market.timeZone)
    const { stop, cleared, next } = await following(shop, { catalogue: other })
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => changeCatalogue(elsewhere(shop), renamed(`Title ${i}`))),
    )
    while (cleared() < 8) await next()
    await stop()
  })
}
