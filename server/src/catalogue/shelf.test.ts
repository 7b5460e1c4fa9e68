import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import type { ProductSuggestions, ProductView, ProductWindow } from '@befaqt/domain/catalogue'
import { eq } from 'drizzle-orm'
import { categories, products } from '#server/db/schema/shop.ts'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

/** So many products on sale: every second one is fish, every third one a snapper, the prices rise from one dollar. */
async function fill({ deps }: TestShop, many: number): Promise<void> {
  await deps.db.insert(categories).values([
    { id: 'c1', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'c2', title: 'Shell fish', titleKey: 'shellfish', shelfPos: '2' },
  ])
  const all = Array.from({ length: many }, (_, i) => ({
    id: `p${i}`,
    title: `${i % 3 === 0 ? 'Snapper' : 'Mullet'} ${String(i).padStart(5, '0')}`,
    categoryId: i % 2 === 0 ? 'c1' : 'c2',
    priceCents: 100 + i,
    stock: i % 5 === 0 ? 0 : 9,
    description: 'Caught on a line, bled and put on ice at once. '.repeat(20),
  }))
  for (let at = 0; at < many; at += 500) await deps.db.insert(products).values(all.slice(at, at + 500))
  deps.catalogue.clear()
}

for (const [name, open] of testDatabases)
  test(`${name}: the API answers one page of the products on sale, filtered and sorted, and the whole list as ever`, async () => {
    await using shop = await testShop({ open })
    await fill(shop, 301)
    const get = async (query: string): Promise<ProductWindow> => {
      const answer = await shop.app.inject(`/api/product/onSale${query}`)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    const whole: ProductView[] = (await shop.app.inject('/api/product/active')).json()
    assert.equal(whole.length, 301)
    const seen: string[] = []
    for (let page = 1; page <= 7; page++)
      seen.push(...(await get(`?page=${page}`)).rows.map(({ _id }) => _id))
    assert.deepEqual(
      seen,
      whole.map(({ _id }) => _id),
      'each product is on one page, in the shop’s order',
    )
    const { rows, ...rest } = await get('?page=2')
    assert.deepEqual(
      [rows.length, rest],
      [48, { page: 2, size: 48, total: 301, onSale: 301, search: null, facets: null }],
    )
    assert.ok(rows[0] && !('description' in rows[0]))

    const snappers = await get('?q=SNÁPPER&category=Shell%20fish&stock=in&sort=price-down&size=10')
    assert.deepEqual([snappers.total, snappers.onSale, snappers.rows[0]?.title], [40, 301, 'Snapper 00297'])
    assert.deepEqual(
      (await get('?min=1.10&max=$1.11&sort=luck&fresh=9')).rows.map(({ price }) => price),
      [1.1, 1.11],
    )
    const beyond = await get('?page=1000')
    assert.deepEqual([beyond.page, beyond.rows.length], [7, 13], 'after the last page comes the last')
    assert.deepEqual((await get('?q=kraken&page=3')).page, 1)
    for (const odd of ['page=0', 'page=x', 'size=201', `q=${'x'.repeat(101)}`])
      assert.equal((await shop.app.inject(`/api/product/onSale?${odd}`)).statusCode, 400, odd)
  })

for (const [name, open] of testDatabases)
  test(`${name}: what is being typed is answered with the words it may become and what fits, in stock first`, async () => {
    await using shop = await testShop({ open })
    await fill(shop, 60)
    const suggest = async (q: string): Promise<ProductSuggestions> => {
      const answer = await shop.app.inject(`/api/product/suggestions?q=${encodeURIComponent(q)}`)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    const { words, products: found } = await suggest('snaper')
    assert.equal(words[0], 'snapper')
    assert.equal(found.length, 5)
    assert.ok(found.every(({ title, stock }) => title.startsWith('Snapper') && stock > 0))
    for (const nothing of ['', '  ', '((', '\u{1f41f}'])
      assert.deepEqual(await suggest(nothing), { words: [], products: [] }, nothing)
    for (const query of ['', `?q=${'x'.repeat(101)}`, '?q=%00'])
      assert.equal((await shop.app.inject(`/api/product/suggestions${query}`)).statusCode, 400, query)
    await shop.deps.db.update(products).set({ title: 'Ling' }).where(eq(products.id, 'p0'))
    shop.deps.catalogue.clear()
    assert.deepEqual((await suggest('ling')).products[0]?._id, 'p0', 'it follows the catalogue')
  })

for (const [name, open] of testDatabases)
  test(`${name}: of products that are named, those on sale are answered whole, at most a hundred of them`, async () => {
    await using shop = await testShop({ open })
    await fill(shop, 101)
    await shop.deps.db.update(products).set({ status: 'INACTIVE' }).where(eq(products.id, 'p3'))
    shop.deps.catalogue.clear()
    const get = (ids: readonly string[]) =>
      shop.app.inject(`/api/product/byIds?ids=${encodeURIComponent(ids.join(','))}`)
    const found = await get(['p7', 'p3', 'nothing', 'p1', 'p7'])
    assert.equal(found.statusCode, 200, found.body)
    const one = await Promise.all(['p7', 'p1'].map((id) => shop.app.inject(`/api/product/${id}`)))
    assert.deepEqual(
      found.json(),
      one.map((answer) => {
        const { kitchen: _, ...product } = answer.json() // of its own page alone
        return product
      }),
    )
    const hundred = Array.from({ length: 100 }, (_, i) => `p${i}`)
    assert.equal((await get(hundred)).json().length, 99)
    assert.equal((await get(hundred.map((id) => id.padEnd(64, '-')))).json().length, 0)
    for (const refused of [[...hundred, 'p100'], [], ['p1', ''], ['x'.repeat(65)]])
      assert.equal((await get(refused)).statusCode, 400, `${refused}`.slice(0, 20))
    assert.equal((await shop.app.inject('/api/product/byIds')).statusCode, 400)
  })

test('no public list of thousands of products is over 300 KB, and each links to its other pages', {
  skip: withoutPages,
}, async () => {
  await using shop = await testShop({
    env: { WEB_DIST: WEB_DIST ?? '' },
    render: await loadRenderer(WEB_DIST ?? ''),
  })
  await fill(shop, 3_000)
  const page = async (url: string): Promise<string> => {
    const answer = await shop.app.inject({ url, headers: { 'accept-encoding': 'br' } })
    assert.equal(answer.statusCode, 200, url)
    const br = answer.headers['content-encoding'] === 'br'
    return br ? brotliDecompressSync(answer.rawPayload).toString() : answer.body
  }
  for (const [url, part, next] of [
    ['/', 'All 3,000 products', 'href="/product"'],
    ['/product', '1–48 of 3,000 products', '/product?page=2'],
    ['/product?page=2', '49–96 of 3,000 products', '/product?page=3'],
    [
      '/product?q=snapper&stock=in&page=3',
      '97–144 of 800 found, of 3,000',
      '?q=snapper&amp;stock=in&amp;page=4',
    ],
    ['/category/Fish', '1–48 of 1,500 products', '/category/Fish?page=2'],
    ['/category/Fish?page=32', '1,489–1,500 of 1,500 products', '/category/Fish?page=31'],
    ['/product?page=9999', '2,977–3,000 of 3,000 products', '/product?page=62'],
  ] as const) {
    const html = await page(url)
    assert.ok(Buffer.byteLength(html) < 300_000, `${url} has ${Buffer.byteLength(html)} bytes`)
    const { size } = new Set(html.match(/href="\/product\/p\d+"/g))
    assert.ok(size <= (url === '/' ? 12 : 48), `${url} has ${size}`)
    assert.ok(html.replaceAll('<!-- -->', '').includes(part), `${url} says ${part}`)
    assert.ok(html.includes(next), `${url} links to ${next}`)
  }
  const second = await page('/product?page=2')
  for (const [rel, path] of [
    ['canonical', '/product?page=2'],
    ['prev', '/product'],
    ['next', '/product?page=3'],
  ])
    assert.match(second, new RegExp(`<link rel="${rel}" href="http[^"]*[^/]${path?.replace('?', '\\?')}"`))
  assert.match(second, /<title>All products, page 2 · /)
  assert.match(await page('/product?q=snapper&page=2'), /<link rel="canonical" href="http[^"?]*\/product"/)
})
