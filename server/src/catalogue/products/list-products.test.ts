import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { buildApp } from '#server/app.ts'
import { Catalogue } from '#server/catalogue/catalogue.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

type New = Partial<typeof products.$inferInsert> & { id: string }

/** A shop with an administrator, categories `c` and `d`, and these products. */
async function shopWith(
  open: () => Promise<TestShop['database']>,
  stock: readonly New[],
): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop({ open })
  await shop.deps.db.insert(categories).values([
    { id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'd', title: 'Shells', titleKey: 'shells', shelfPos: '2' },
  ])
  await shop.deps.db
    .insert(products)
    .values(stock.map((product) => ({ title: product.id, categoryId: 'c', ...product })))
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

async function list(admin: Caller, query: string): Promise<Paged<ManagedProduct>> {
  const answer = await admin('GET', `/api/product?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const idsOf = ({ rows }: Paged<ManagedProduct>): string[] => rows.map(({ _id }) => _id)

const found = async (admin: Caller, q: string): Promise<string[]> =>
  idsOf(await list(admin, `q=${encodeURIComponent(q)}`))

for (const [name, open] of testDatabases) {
  test(`${name}: a search matches every word in title or shelf, ignoring case and accents, and wildcards are literal`, async () => {
    await using shop = await shopWith(open, [
      { id: 'ecrevisse', title: 'Écrevisse, whole', shelfPos: 'Tank 7' },
      { id: 'percent', title: 'Snapper 100% wild' },
      { id: 'under', title: 'Snapper_fillet', description: 'whole' },
      { id: 'slash', title: 'Pipi \\ cockle', shelfPos: 'ÄB.12' },
      { id: 'wide', title: 'Ｔｕｎａ ½ kg' },
      { id: 'composed', title: 'e\u0301toile' },
    ])
    const wanted: [string, string[]][] = [
      ['ECREVISSE', ['ecrevisse']],
      ['écrevisse', ['ecrevisse']],
      ['whole écr', ['ecrevisse']],
      ['  7\ttank ', ['ecrevisse']],
      ['whole7', []],
      ['%', ['percent']],
      ['0% W', ['percent']],
      ['_', ['under']],
      ['snapper', ['percent', 'under']],
      ['\\', ['slash']],
      ['ab.12', ['slash']],
      ['tuna', ['wide']],
      ['étoile', ['composed']],
      ["'; drop table products; --", []],
      ['\u0301', ['ecrevisse', 'composed', 'slash', 'percent', 'under', 'wide']],
    ]
    for (const [q, ids] of wanted) assert.deepEqual(await found(shop.admin, q), ids, JSON.stringify(q))
    assert.equal((await list(shop.admin, 'q=%20')).total, 6, 'no word asks for nothing')
  })

  test(`${name}: titles sort without regard to case and accents, shelves by number, the same on every database`, async () => {
    await using shop = await shopWith(open, [
      { id: 'zander', shelfPos: '1.10' },
      { id: 'Bream', shelfPos: '1.2' },
      { id: 'Écrevisse', shelfPos: '10' },
      { id: 'abalone', shelfPos: '2.1' },
      { id: 'Flathead', shelfPos: '1.100' },
      { id: 'bream', shelfPos: 'Tank 12' },
      { id: 'eel', shelfPos: 'Tank 9' },
    ])
    const byTitle = ['abalone', 'Bream', 'bream', 'Écrevisse', 'eel', 'Flathead', 'zander']
    assert.deepEqual(idsOf(await list(shop.admin, 'page=1')), byTitle)
    assert.deepEqual(idsOf(await list(shop.admin, 'dir=desc')), byTitle.toReversed())
    const byShelf = ['Bream', 'zander', 'Flathead', 'abalone', 'Écrevisse', 'eel', 'bream']
    assert.deepEqual(idsOf(await list(shop.admin, 'sort=shelf')), byShelf)
    assert.deepEqual(
      (await shop.admin('GET', '/api/product')).json().map(({ _id }: ManagedProduct) => _id),
      byTitle,
    )
  })

  test(`${name}: every product is on exactly one page, in either direction, however many are equal; the count covers all pages`, async () => {
    const stock = Array.from({ length: 130 }, (_, i) => ({
      id: `p${(i * 37) % 130}`,
      title: 'Bream',
      priceCents: i % 3,
      stock: 7,
      status: i % 5 === 0 ? ('INACTIVE' as const) : ('ACTIVE' as const),
      categoryId: i % 2 === 0 ? 'c' : 'd',
      updatedAt: new Date(0),
    }))
    await using shop = await shopWith(open, stock)
    const walk = async (query: string): Promise<string[]> => {
      const ids: string[] = []
      for (let page = 1; ; page++) {
        const { rows, total } = await list(shop.admin, `${query}&size=40&page=${page}`)
        if (rows.length === 0) {
          assert.equal(total, ids.length, `${query}: the page after the last tells the count too`)
          return ids
        }
        ids.push(...rows.map(({ _id }) => _id))
      }
    }
    for (const sort of ['title', 'price', 'stock', 'discount', 'shelf', 'status', 'updated']) {
      const up = await walk(`sort=${sort}`)
      assert.deepEqual(new Set(up).size, 130, sort)
      assert.deepEqual((await walk(`sort=${sort}&dir=desc`)).toReversed(), up, sort)
    }
    const some = await walk('status=INACTIVE&category=c&q=bream&sort=price')
    assert.equal(some.length, 13)
    assert.deepEqual(await walk('q=nothing'), [])
  })

  test(`${name}: images and boxes come in their order, and a title of the widest characters is accepted`, async () => {
    await using shop = await shopWith(open, [
      { id: 'a' },
      { id: 'b' },
      { id: 'long', title: '\ufdfa'.repeat(120) },
    ])
    const { db } = shop.deps
    const file = { mediaType: 'image/webp', bytes: 1, width: 6, height: 4 }
    await db.insert(files).values(['x', 'y', 'z'].map((path) => ({ ...file, path, objectKey: path })))
    await db
      .insert(productImages)
      .values(
        ['z', 'x', 'y'].map((path, i) => ({ productId: 'a', position: (i + 1) % 3, path, alt: `"${path}"` })),
      )
    await db.insert(boxes).values(['B1', 'B2'].map((id) => ({ id, head: 'h' })))
    await db.insert(productBoxes).values([
      { productId: 'a', boxId: 'B1', quantity: 0.3, unit: 'kg', createdAt: new Date(2_000) },
      { productId: 'a', boxId: 'B2', quantity: 12, unit: 'kg', createdAt: new Date(1_000) },
    ])
    const [a, b, long] = (await list(shop.admin, 'sort=title')).rows
    assert.deepEqual(a?.imagePaths, ['y', 'z', 'x'])
    assert.deepEqual(a?.images[0], { path: 'y', width: 6, height: 4, alt: '"y"' })
    assert.deepEqual(a?.boxes, [
      { boxID: 'B2', quantity: 12 },
      { boxID: 'B1', quantity: 0.3 },
    ])
    assert.deepEqual([b?.imagePaths, b?.images, b?.boxes, b?.categoryTitle], [[], [], [], 'Fish'])
    assert.equal(long?._id, 'long')
  })

  test(`${name}: what one process saves is in the next list of another that was not yet notified`, async () => {
    await using shop = await shopWith(open, [{ id: 'a' }, { id: 'b' }])
    const deaf = await buildApp({
      ...shop.deps,
      catalogue: new Catalogue(shop.deps.database, shop.deps.siteFile.market.timeZone),
    })
    const other = await callerOf({ ...shop, app: deaf }, 'other', 'ADMIN')
    for (let price = 1; price <= 5; price++) {
      assert.equal(
        (await shop.admin('PATCH', '/api/product/a', { price, title: `A ${price}` })).statusCode,
        200,
      )
      const [first] = (await list(other, `sort=price&dir=desc&q=a%20${price}`)).rows
      assert.deepEqual([first?._id, first?.price], ['a', price])
    }
    await deaf.close()
  })
}
