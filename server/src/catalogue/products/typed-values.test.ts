import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categories, products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { formOf, jpeg } from '#server/testing/files.ts'
import { testShop } from '#server/testing/shop.ts'

type Parts = Parameters<typeof formOf>[0]

async function shopWith() {
  const shop = await testShop()
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await shop.deps.db
    .insert(products)
    .values({ id: 'p', title: 'Snapper', categoryId: 'c', priceCents: 3_450 })
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

async function send(call: Caller, method: 'POST' | 'PATCH', url: string, parts: Parts) {
  const form = await formOf(parts)
  return call(method, url, form.payload, form.headers)
}

const COMMA = 'price: write 12.50 for twelve dollars fifty'

test('a price with a decimal comma is rejected with an explanation by form, JSON and CSV, and nothing changes', async () => {
  await using shop = await shopWith()
  const csv = (price: string) => `_id,price\r\np,"${price}"\r\n`
  const bring = (price: string, query = '') =>
    shop.admin('POST', `/api/product/import${query}`, csv(price), { 'content-type': 'text/csv' })
  for (const price of ['12,50', '1,2', '0,500', '1.200,50']) {
    const form = await send(shop.admin, 'PATCH', '/api/product/p', [['price', price]])
    assert.deepEqual([form.statusCode, form.json().error.message], [400, COMMA], price)
    assert.deepEqual(form.json().error.fields, [{ path: 'price', message: COMMA }])
    const json = await shop.admin('PATCH', '/api/product/p', { price })
    assert.deepEqual([json.statusCode, json.json().error.message], [400, COMMA], price)
    const file = (await bring(price, '?dryRun=1')).json()
    assert.deepEqual([file.applied, file.bad], [false, [{ line: 2, path: 'price', message: COMMA }]])
  }
  assert.equal((await shop.admin('GET', '/api/product/p/manage')).json().price, 34.5)
  assert.equal((await bring('1,200')).json().applied, true)
  assert.equal((await shop.admin('GET', '/api/product/p/manage')).json().price, 1_200)
})

test('thousands and a dollar sign are read as people type them', async () => {
  await using shop = await shopWith()
  for (const [price, stock, read] of [
    ['1200', '1,200', 1_200],
    ['$1,200.50', '7', 1_200.5],
  ] as const) {
    const changed = await send(shop.admin, 'PATCH', '/api/product/p', [
      ['price', price],
      ['stock', stock],
    ])
    assert.equal(changed.json().price, read, changed.body)
    assert.equal(changed.json().stock, Number(stock.replace(',', '')))
  }
})

test('a missing image is reported with the other fields, under the names that people see', async () => {
  await using shop = await shopWith()
  const product = (await send(shop.admin, 'POST', '/api/product', [['shelfPos', ' ']])).json().error
  assert.deepEqual(
    product.fields.map(({ path }: { path: string }) => path),
    ['title', 'category_id', 'shelfPos', 'productImages'],
  )
  assert.equal(
    product.message,
    'title is required; category is required; shelf position is required; at least one image is required',
  )
  const category = (await send(shop.admin, 'POST', '/api/category', [['title', 'Smoked']])).json().error
  assert.equal(category.message, 'shelf position is required; an image is required')
})

test('an empty list of images is rejected where there are some, and changes nothing where there are none', async () => {
  await using shop = await shopWith()
  const made = await send(shop.admin, 'POST', '/api/product', [
    ['title', 'Tailor'],
    ['category_id', 'c'],
    ['productImages', { bytes: await jpeg(40), name: 'a.jpg' }],
  ])
  const { _id, imagePaths } = made.json()
  for (const answer of [
    await send(shop.admin, 'PATCH', `/api/product/${_id}`, [
      ['imagePaths[]', ''],
      ['stock', '1'],
    ]),
    await shop.admin('PATCH', `/api/product/${_id}`, { imagePaths: [], stock: 1 }),
  ])
    assert.deepEqual(
      [answer.statusCode, answer.json().error.message],
      [400, 'at least one image is required'],
    )
  const kept = (await shop.admin('GET', `/api/product/${_id}/manage`)).json()
  assert.deepEqual([kept.imagePaths, kept.stock], [imagePaths, 100])
  const without = await send(shop.admin, 'PATCH', '/api/product/p', [
    ['imagePaths[]', ''],
    ['stock', '1'],
  ])
  assert.deepEqual([without.statusCode, without.json().stock], [200, 1])
})

test('a category whose URL would be that of another page is rejected', async () => {
  await using shop = await shopWith()
  for (const title of ['.', '..', ' . . ']) {
    const answer = await shop.admin('PATCH', '/api/category/c', { title })
    assert.deepEqual(
      [answer.statusCode, answer.json().error.message],
      [400, 'title must have letters or digits'],
    )
  }
})

test('origin, allergens, piece weight, preparations and step are the same by form, JSON and CSV, and bad ones are named', async () => {
  await using shop = await shopWith()
  const labelled = {
    origin: ['Australia', 'New Zealand'],
    allergens: ['fish', 'sulphites'],
    pieceWeight: 450,
    preparations: [
      { kind: 'gutted', yieldPercent: 85, feeCents: 200 },
      { kind: 'skin-off', yieldPercent: 45, feeCents: 450 },
    ],
    step: 0.1,
  }
  const shown = async () => {
    const { origin, allergens, pieceWeight, preparations, step } = (
      await shop.app.inject('/api/product/p')
    ).json()
    return { origin, allergens, pieceWeight, preparations, step }
  }
  const none = { origin: [], allergens: [], pieceWeight: 0, preparations: [], step: 0.25 }
  const clear = () => shop.admin('PATCH', '/api/product/p', none)
  assert.deepEqual(await shown(), none)
  await send(shop.admin, 'PATCH', '/api/product/p', [
    ['origin', 'Australia, New Zealand'],
    ['allergens', 'sulphites,fish'],
    ['pieceWeight', '450'],
    ['preparations', 'skin-off 45% 4.50, gutted 85 2'],
    ['step', '0.1'],
  ])
  assert.deepEqual(await shown(), labelled, 'form')
  await clear()
  await shop.admin('PATCH', '/api/product/p', labelled)
  assert.deepEqual(await shown(), labelled, 'JSON')
  await clear()
  const csv =
    '_id,origin,allergens,pieceWeight,preparations,step\r\np,"Australia, New Zealand","fish, sulphites",450,"gutted 85% 2.00, skin-off 45% 4.50",0.1\r\n'
  await shop.admin('POST', '/api/product/import', csv, { 'content-type': 'text/csv' })
  assert.deepEqual(await shown(), labelled, 'CSV')

  const bad = { origin: ['Australia', 7], allergens: ['peanut'], pieceWeight: -1, step: 0.3 }
  const refused = await shop.admin('PATCH', '/api/product/p', bad)
  assert.equal(refused.statusCode, 400)
  assert.deepEqual(
    refused.json().error.fields.map(({ path }: { path: string }) => path),
    ['origin[1]', 'allergens[0]', 'pieceWeight', 'step'],
  )
  assert.deepEqual(await shown(), labelled, 'what was refused changed nothing')
})
