import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { categories, products } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { formOf, jpeg, storedPaths } from '#server/testing/files.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

type Parts = Parameters<typeof formOf>[0]

/** A shop with an administrator and one category, `c`. */
async function shopWith(open?: Parameters<typeof testShop>[0]): Promise<TestShop & { admin: Caller }> {
  const shop = await testShop(open)
  await shop.deps.db.insert(categories).values([
    { id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' },
    { id: 'd', title: 'Shells', titleKey: 'shells', shelfPos: '2' },
  ])
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const image = async (shade = 80) =>
  ['productImages', { bytes: await jpeg(shade), name: `${shade}.jpg` }] as const

async function send(call: Caller, method: 'POST' | 'PATCH', url: string, parts: Parts) {
  const form = await formOf(parts)
  return call(method, url, form.payload, form.headers)
}

const named: Parts = [
  ['title', 'Snapper'],
  ['category_id', 'c'],
]

const runJobs = ({ deps }: TestShop) =>
  runDueJobs(deps.db, fileJobs(deps), deps.log, new AbortController().signal)

const count = ({ deps }: TestShop, table: 'products' | 'changes' | 'product_images'): Promise<number> =>
  deps.db.$count(sql.identifier(table))

for (const [name, open] of testDatabases)
  test(`${name}: a product is created with the defaults and its images in order, and is on sale at once`, async () => {
    await using shop = await shopWith({ open })
    const made = await send(shop.admin, 'POST', '/api/product', [
      ...named,
      ['imageAlts[]', 'From the left'],
      await image(10),
      await image(20),
    ])
    assert.equal(made.statusCode, 201, made.body)
    const { _id, imagePaths, images, updatedAt, ...rest } = made.json()
    assert.deepEqual(rest, {
      title: 'Snapper',
      category_id: 'c',
      categoryTitle: 'Fish',
      price: 0,
      unit: 'kg',
      includeGST: false,
      discount: 0,
      stock: 100,
      shelfPos: '1.1',
      status: 'ACTIVE',
      origin: [],
      allergens: [],
      pieceWeight: 0,
      orderLimit: 0,
      step: 0.25,
      preparations: [],
      description: '',
      boxes: [],
      recalledBoxes: [],
      offSaleBoxes: [],
      waiting: 0,
      sellable: 100,
      isDraft: false,
      schedule: { sale: null, markdown: null },
      version: 1,
    })
    assert.equal(imagePaths.length, 2)
    assert.deepEqual(
      images.map(({ alt }: { alt: string }) => alt),
      ['From the left', ''],
    )
    assert.deepEqual((await shop.app.inject(`/api/product/${_id}`)).json().imagePaths, imagePaths)
    assert.equal((await shop.admin('GET', `/api/history?entity=product&id=${_id}`)).json().total, 1)
  })

for (const [name, open] of testDatabases)
  test(`${name}: a category deleted during an import leaves no product without one and no stray file`, async () => {
    await using shop = await shopWith({ open })
    await shop.admin('PATCH', '/api/category/d', { status: 'DISABLED' })
    const creations = [10, 20, 30, 40].map(async (shade) =>
      send(shop.admin, 'POST', '/api/product', [['title', 'Pipi'], ['category_id', 'd'], await image(shade)]),
    )
    const [deleted, ...made] = await Promise.all([shop.admin('DELETE', '/api/category/d'), ...creations])
    const created = made.filter(({ statusCode }) => statusCode === 201).length
    assert.equal(made.filter(({ statusCode }) => statusCode === 400).length, 4 - created)
    assert.equal(deleted?.statusCode, created === 0 ? 204 : 409)
    assert.equal(await count(shop, 'products'), created)
    const { onDisk, inDatabase } = await storedPaths(shop)
    assert.deepEqual([onDisk, onDisk.length], [inDatabase, created])
  })

for (const [name, open] of testDatabases)
  test(`${name}: the same image uploaded by several at once is stored once, and stays while a product uses it`, async () => {
    await using shop = await shopWith({ open })
    const made = await Promise.all(
      [1, 2, 3].map(async () => send(shop.admin, 'POST', '/api/product', [...named, await image(10)])),
    )
    const ids: string[] = made.map((answer) => answer.json()._id)
    const refusedToo = await send(shop.admin, 'POST', '/api/product', [['title', 'X'], await image(10)])
    assert.equal(refusedToo.statusCode, 400)
    for (const id of ids.slice(1)) {
      await shop.admin('PATCH', `/api/product/${id}`, { status: 'DISABLED' })
      await shop.admin('DELETE', `/api/product/${id}`)
    }
    await runJobs(shop)
    const { onDisk, inDatabase } = await storedPaths(shop)
    assert.deepEqual([onDisk.length, onDisk], [1, inDatabase])
    assert.equal((await shop.app.inject(`/api/file/${onDisk[0]}`)).statusCode, 200)
  })

test('every bad field is refused by name, and neither rows nor files stay', async () => {
  await using shop = await shopWith()
  const bad: [path: string, parts: Parts][] = [
    ['price', [...named, ['price', '-1'], await image()]],
    ['price', [...named, ['price', '1.005'], await image()]],
    ['price', [...named, ['price', ''], await image()]],
    ['discount', [...named, ['discount', '101'], await image()]],
    ['stock', [...named, ['stock', '1000000000'], await image()]],
    ['stock', [...named, ['stock', '1e9'], await image()]],
    ['stock', [...named, ['stock', '1.0005'], await image()]],
    ['includeGST', [...named, ['includeGST', 'perhaps'], await image()]],
    ['title', [['title', '\t \u00a0'], ['category_id', 'c'], await image()]],
    ['title', [['title', 'a\u202eb'], ['category_id', 'c'], await image()]],
    ['category_id', [['title', 'Snapper'], await image()]],
    ['category_id', [['title', 'Snapper'], ['category_id', 'gone'], await image()]],
    ['productImages', named],
    ['imagePaths[0]', [...named, ['imagePaths[]', `${'0'.repeat(32)}.webp`], await image()]],
    ['imagePaths[0]', [...named, ['imagePaths[]', 'new:1'], await image()]],
    ['avatar', [...named, ['avatar', { bytes: await jpeg(), name: 'a.jpg' }]]],
  ]
  for (const [path, parts] of bad) {
    const answer = await send(shop.admin, 'POST', '/api/product', parts)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().error.fields[0].path, path, answer.body)
  }
  assert.equal(await count(shop, 'products'), 0)
  assert.equal(await count(shop, 'changes'), 0)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

test('kept images keep their order, new ones go where they are placed, removed ones are deleted', async () => {
  await using shop = await shopWith()
  const made = (
    await send(shop.admin, 'POST', '/api/product', [
      ...named,
      await image(10),
      await image(20),
      await image(30),
    ])
  ).json()
  const [a, b, c] = made.imagePaths
  const url = `/api/product/${made._id}`
  const changed = await send(shop.admin, 'PATCH', url, [
    ['imagePaths[]', c],
    ['imagePaths[]', 'new:0'],
    ['imagePaths[]', a],
    ['imageAlts[]', 'third'],
    ['imageAlts[]', 'new'],
    await image(40),
  ])
  assert.equal(changed.statusCode, 200, changed.body)
  const { imagePaths, images, title, version } = changed.json()
  assert.deepEqual([imagePaths[0], imagePaths[2], title, version], [c, a, 'Snapper', 2])
  assert.deepEqual(
    images.map(({ alt }: { alt: string }) => alt),
    ['third', 'new', ''],
  )
  await runJobs(shop)
  assert.deepEqual((await storedPaths(shop)).onDisk, [a, c, imagePaths[1]].sort(), `${b} is gone`)
  const appended = await send(shop.admin, 'PATCH', url, [await image(50)])
  assert.deepEqual(appended.json().imagePaths.slice(0, 3), imagePaths)
  assert.equal((await send(shop.admin, 'PATCH', url, [['imagePaths[]', '']])).statusCode, 400)
  const untouched = await shop.admin('PATCH', url, { price: 12.5 })
  assert.deepEqual([untouched.json().price, untouched.json().imagePaths.length], [12.5, 4])
})

test('a failed change leaves pictures, product and files as they were', async () => {
  await using shop = await shopWith()
  const made = (await send(shop.admin, 'POST', '/api/product', [...named, await image(10)])).json()
  const url = `/api/product/${made._id}`
  const before = await storedPaths(shop)
  for (const parts of [
    [['category_id', 'gone'], await image(60)],
    [['version', '7'], await image(60)],
    [['imagePaths[]', 'else.webp'], await image(60)],
    [await image(60), ['productImages', { bytes: Buffer.from('MZ program'), name: 'b.png' }]],
  ] as Parts[])
    assert.ok((await send(shop.admin, 'PATCH', url, parts)).statusCode >= 400)
  assert.deepEqual((await shop.admin('GET', `${url}/manage`)).json(), made)
  assert.deepEqual(await storedPaths(shop), before)
  await runJobs(shop)
  assert.deepEqual(await storedPaths(shop), before)
})

test('the second of two managers gets a conflict with the current values', async () => {
  await using shop = await shopWith()
  const { _id } = (await send(shop.admin, 'POST', '/api/product', [...named, await image()])).json()
  const url = `/api/product/${_id}`
  assert.equal((await shop.admin('PATCH', url, { price: 5, version: 1 })).statusCode, 200)
  const second = await shop.admin('PATCH', url, { price: 6 }, { 'if-match': '"1"' })
  assert.deepEqual([second.statusCode, second.json().error.current.price], [409, 5])
  assert.equal((await shop.app.inject(url)).json().price, 5)
})

test('only a DISABLED product can be deleted, its pictures with it', async () => {
  await using shop = await shopWith()
  const { _id } = (await send(shop.admin, 'POST', '/api/product', [...named, await image()])).json()
  const url = `/api/product/${_id}`
  assert.equal((await shop.admin('DELETE', url)).json().error.code, 'delete.not_disabled')
  await shop.admin('PATCH', url, { status: 'DISABLED' })
  assert.equal((await shop.app.inject(url)).statusCode, 404)
  assert.equal((await shop.admin('DELETE', url)).statusCode, 204)
  assert.equal((await shop.admin('DELETE', url)).statusCode, 404)
  await runJobs(shop)
  assert.equal(await count(shop, 'product_images'), 0)
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})

test('products are searched, filtered, sorted and paged, or returned all at once', async () => {
  await using shop = await shopWith()
  const more = { categoryId: 'c', status: 'ACTIVE' as const }
  await shop.deps.db.insert(products).values([
    { ...more, id: '1', title: 'Snapper 100%', priceCents: 300 },
    { ...more, id: '2', title: 'Bream', priceCents: 100 },
    { ...more, id: '3', title: 'Pipi', priceCents: 200, categoryId: 'd', status: 'INACTIVE' },
  ])
  const ids = async (query: string): Promise<string[]> =>
    (await shop.admin('GET', `/api/product?${query}`)).json().rows.map(({ _id }: { _id: string }) => _id)
  assert.deepEqual(await ids('page=1'), ['2', '3', '1'])
  assert.deepEqual(await ids('sort=price&dir=desc&size=2'), ['1', '3'])
  assert.deepEqual(await ids('sort=price&dir=desc&size=2&page=2'), ['2'])
  assert.deepEqual(await ids('q=100%25'), ['1'])
  assert.deepEqual(await ids('q=_'), [])
  assert.deepEqual(await ids('status=INACTIVE'), ['3'])
  assert.deepEqual(await ids('category=d'), ['3'])
  assert.equal((await shop.admin('GET', '/api/product')).json().length, 3)
  for (const odd of ['page=0', 'size=201', 'dir=up', 'status=ODD'])
    assert.equal((await shop.admin('GET', `/api/product?${odd}`)).statusCode, 400, odd)
})

for (const [name, open] of testDatabases)
  test(`${name}: a product that is sent again with its id, after an answer that was lost, is made once`, async () => {
    await using shop = await shopWith({ open })
    const _id = '3f2c7f0e-5d0b-4d8e-9d42-0d6f0a1f4c11'
    const first = await send(shop.admin, 'POST', '/api/product', [...named, ['_id', _id], await image(10)])
    assert.equal(first.statusCode, 201, first.body)
    assert.equal(first.json()._id, _id)
    const patch = await send(shop.admin, 'PATCH', `/api/product/${_id}`, [['title', 'Snapper, whole']])
    assert.equal(patch.statusCode, 200, patch.body)
    const [again, both] = await Promise.all([
      send(shop.admin, 'POST', '/api/product', [...named, ['_id', _id], await image(10)]),
      send(shop.admin, 'POST', '/api/product', [...named, ['_id', _id], await image(20)]),
    ])
    for (const answer of [again, both]) assert.equal(answer.statusCode, 201, answer.body)
    assert.equal(again.json().title, 'Snapper, whole', 'it is answered as it is now')
    assert.deepEqual(both.json().imagePaths, first.json().imagePaths)
    assert.deepEqual([await count(shop, 'products'), await count(shop, 'changes')], [1, 2])
    await runJobs(shop)
    assert.deepEqual((await storedPaths(shop)).onDisk, first.json().imagePaths, 'no other picture stays')
    const odd = await send(shop.admin, 'POST', '/api/product', [...named, ['_id', 'x'], await image(10)])
    assert.equal(odd.statusCode, 400, odd.body)
    assert.equal(odd.json().error.fields[0].path, '_id')
  })
