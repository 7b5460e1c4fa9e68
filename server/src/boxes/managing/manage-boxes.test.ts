import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { records } from '#server/db/schema/boxes.ts'
import { categories, changes, products } from '#server/db/schema/shop.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = { ...catchProv, species: 'Snapper', time: '2026-11-18 05:10:00' }

async function shopWith(more?: Parameters<typeof testShop>[0]): Promise<TestShop & { admin: Caller }> {
  const now = () => new Date('2026-11-20T00:00:00Z')
  const shop = await testShop({ ...more, deps: { now } })
  return { ...shop, admin: await callerOf(shop, 'admin', 'ADMIN') }
}

const register = (call: Caller, boxID: string) => call('POST', '/api/box/registration', { boxID, fisher })

const kinds = async ({ deps }: TestShop, boxID: string) =>
  (
    await deps.db
      .select({ kind: records.kind })
      .from(records)
      .where(eq(records.boxId, boxID))
      .orderBy(records.seq)
  ).map(({ kind }) => kind)

for (const [name, open] of testDatabases)
  test(`${name}: a box is registered, gets its catch, is corrected and sealed; the old record stays`, async () => {
    await using shop = await shopWith({ open })
    const { admin } = shop
    assert.equal((await register(admin, 'BOX-1')).statusCode, 201)
    assert.equal((await register(admin, 'BOX-1')).json().error.code, 'conflict')
    const added = await admin('POST', '/api/box/BOX-1/catch', caught)
    assert.deepEqual([added.statusCode, added.json()], [201, { seq: 2 }])
    assert.equal((await admin('POST', '/api/box/BOX-1/catch', caught)).statusCode, 409)
    const corrected = await admin('POST', '/api/box/BOX-1/correction', {
      seq: 2,
      reason: 'Measured again',
      data: { ...caught, size: '50 cm' },
    })
    assert.deepEqual([corrected.statusCode, corrected.json()], [201, { seq: 3 }])
    assert.equal((await shop.app.inject('/api/box/BOX-1')).json().catchProv.size, '50 cm')
    const { records: kept } = (await shop.app.inject('/api/box/BOX-1/proof')).json()
    assert.equal(kept[1].data.size, catchProv?.size)
    assert.equal((await admin('POST', '/api/box/BOX-1/seal', {})).json().seq, 4)
    for (const [path, body] of [
      ['seal', {}],
      ['correction', { seq: 2, reason: 'x', data: caught }],
    ] as const)
      assert.equal((await admin('POST', `/api/box/BOX-1/${path}`, body)).json().error.code, 'box.sealed')
    assert.deepEqual(await kinds(shop, 'BOX-1'), ['registration', 'catch', 'correction', 'seal'])
    const history = (await admin('GET', '/api/history?entity=box&id=BOX-1')).json()
    assert.equal(history.total, 4)
  })

test('a corrected reading or result is assessed again by the server, a corrected catch is not', async () => {
  await using shop = await shopWith()
  await shop.admin('POST', '/api/box', sampleBox())
  const before = await kinds(shop, '0345579444')
  const image = before.indexOf('image-result') + 1
  const [entry] = sampleBox().imageProc
  const data = { ...entry, imgScore: 1 }
  await shop.admin('POST', '/api/box/0345579444/correction', { seq: image, reason: 'Wrong fish', data })
  const after = await kinds(shop, '0345579444')
  assert.deepEqual(after.slice(before.length), ['correction', 'freshness'])
  const box = (await shop.app.inject('/api/box/0345579444')).json()
  assert.deepEqual([box.freshness.length, box.freshness[1].conf_img], [2, 0.3])
  assert.ok(box.freshness[1].freshnessIndex > 0.3)
  const fisherSeq = before.indexOf('registration') + 1
  const change = { seq: fisherSeq, reason: 'Typo', data: { ...fisher, boat: 'Other' } }
  await shop.admin('POST', '/api/box/0345579444/correction', change)
  assert.equal((await kinds(shop, '0345579444')).at(-1), 'correction')
})

test('bad registrations, catches and corrections are refused with the path, and nothing is written', async () => {
  await using shop = await shopWith()
  const { admin } = shop
  await register(admin, 'BOX-1')
  const correction = { seq: 1, reason: 'Typo', data: { ...fisher } }
  const bad: [path: string, url: string, body: object][] = [
    ['boxID', 'registration', { boxID: 'a b', fisher }],
    ['fisher.traderID', 'registration', { boxID: 'B', fisher: { ...fisher, traderID: '' } }],
    ['colour', 'registration', { boxID: 'B', fisher, colour: 'red' }],
    ['latitude', 'BOX-1/catch', { ...caught, latitude: 91 }],
    ['time', 'BOX-1/catch', { ...caught, time: '2999-01-01 00:00:00' }],
    ['txHash', 'BOX-1/catch', { ...caught, txHash: '0x1' }],
    ['img', 'BOX-1/catch', { ...caught, img: 'javascript:alert(1)' }],
    ['seq', 'BOX-1/correction', { ...correction, seq: 2 }],
    ['reason', 'BOX-1/correction', { ...correction, reason: '' }],
    ['data.boat', 'BOX-1/correction', { ...correction, data: { ...fisher, boat: 7 } }],
    ['data.extra', 'BOX-1/correction', { ...correction, data: { ...fisher, extra: 1 } }],
    ['reason', 'BOX-1/seal', { reason: 'x'.repeat(501) }],
  ]
  for (const [path, url, body] of bad) {
    const answer = await admin('POST', `/api/box/${url}`, body)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().error.fields[0].path, path, answer.body)
  }
  for (const url of ['nope/catch', 'a%20b/catch'])
    assert.equal((await admin('POST', `/api/box/${url}`, caught)).statusCode, 404)
  assert.equal(await shop.deps.db.$count(records), 1)
  assert.equal(await shop.deps.db.$count(changes), 1)
})

for (const [name, open] of testDatabases)
  test(`${name}: two concurrent requests to add the catch add one`, async () => {
    await using shop = await shopWith({ open })
    await register(shop.admin, 'BOX-1')
    const codes = await Promise.all(
      [1, 2, 3].map(async () => (await shop.admin('POST', '/api/box/BOX-1/catch', caught)).statusCode),
    )
    assert.deepEqual(codes.sort(), [201, 409, 409])
    const where = and(eq(records.boxId, 'BOX-1'), eq(records.kind, 'catch'))
    assert.equal(await shop.deps.db.$count(records, where), 1)
  })

test('a key made for one box cannot change another', async () => {
  await using shop = await shopWith()
  const input = { name: 'boat', rights: ['box:write' as const], boxes: ['BOX-1'] }
  const { key } = await createApiKey(shop.deps.db, input, 'test', shop.deps.now())
  const post = (url: string, payload: object) =>
    shop.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${key}` } })
  assert.equal((await post('/api/box/registration', { boxID: 'BOX-1', fisher })).statusCode, 201)
  assert.equal((await post('/api/box/registration', { boxID: 'BOX-2', fisher })).statusCode, 403)
  await register(shop.admin, 'BOX-2')
  assert.equal((await post('/api/box/BOX-2/catch', caught)).statusCode, 403)
  assert.equal((await post('/api/box', { ...sampleBox(), boxID: 'BOX-3' })).statusCode, 403)
  assert.equal((await post('/api/box/BOX-1/catch', caught)).statusCode, 201)
})

test('the list finds boxes by words and by stage, and shows what is pending and what has alerts', async () => {
  await using shop = await shopWith()
  const { admin } = shop
  const at = (boxID: string, latitude: number, longitude: number, temperature = 1) => {
    const box = sampleBox()
    const times = ['06:00:00', '06:30:00', '07:00:00', '07:30:00']
    const iotTracking = times.map((time) => ({
      time: `2026-11-18 ${time}`,
      latitude,
      longitude,
      iotID: 'L-1',
      temperature,
    }))
    const readings = box.iotResult && { ...box.iotResult, iotTracking }
    return admin('POST', '/api/box', { ...box, boxID, iotResult: readings })
  }
  await at('SEA', -30.42, 153.43)
  await at('ROAD', -31.9, 152.4, 9)
  await at('MARKET', -33.8735, 151.192)
  await register(admin, 'NEW')
  await at('DONE', -30.42, 153.43)
  await admin('POST', '/api/box/DONE/seal', { reason: 'sold' })
  await watchBoxes(shop.deps)
  const ids = async (query: string): Promise<string[]> =>
    (await admin('GET', `/api/manage/box?${query}`)).json().rows.map((box: { boxID: string }) => box.boxID)
  assert.deepEqual(await ids('stage=at%20sea'), ['SEA'])
  assert.deepEqual(await ids('stage=on%20the%20road'), ['ROAD'])
  assert.deepEqual(await ids('stage=at%20market'), ['MARKET'])
  assert.deepEqual(await ids('stage=registered'), ['NEW'])
  assert.deepEqual(await ids('stage=sealed'), ['DONE'])
  assert.deepEqual((await ids('stage=alerts')).sort(), ['ROAD', 'SEA'], 'warm, and silent under way')
  assert.deepEqual(await ids('q=mark'), ['MARKET'])
  assert.equal((await ids('q=snapper')).length, 4)
  assert.equal((await admin('GET', '/api/manage/box?stage=odd')).statusCode, 400)
  const [road] = (await admin('GET', '/api/manage/box?q=road')).json().rows
  assert.deepEqual([road.trader, road.pending, road.records], ['Sample Trader', 10, 10])
  assert.match(road.excursions[0].text, /^Above 5 °C for 30 minutes or longer, up to 9.0 °C/)
  assert.equal((await shop.app.inject('/api/box/ROAD/page')).json().stage, 'on the road')
})

test('boxes and products are linked from both sides, and the freshest box shows on the product at once', async () => {
  await using shop = await shopWith()
  const { admin } = shop
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await shop.deps.db.insert(products).values([
    { id: 'p', title: 'Snapper', categoryId: 'c' },
    { id: 'q', title: 'Bream', categoryId: 'c' },
  ])
  await admin('POST', '/api/box', sampleBox())
  await register(admin, 'BOX-1')
  assert.equal((await shop.app.inject('/api/product/p')).json().box, null)
  const links = [{ product_id: 'p', quantity: 12.5 }]
  assert.deepEqual((await admin('PUT', '/api/box/0345579444/products', links)).json(), links)
  assert.equal((await shop.app.inject('/api/product/p')).json().box.boxID, '0345579444')
  const both = [
    { boxID: '0345579444', quantity: 3 },
    { boxID: 'BOX-1', quantity: 4 },
  ]
  assert.equal((await admin('PUT', '/api/product/q/boxes', both)).statusCode, 200)
  const managed = (await admin('GET', '/api/product/q/manage')).json()
  assert.deepEqual(
    managed.boxes.toSorted((a: { quantity: number }, b: { quantity: number }) => a.quantity - b.quantity),
    both,
  )
  const [box] = (await admin('GET', '/api/manage/box?q=0345')).json().rows
  assert.deepEqual(box.products, [
    { _id: 'q', title: 'Bream', quantity: 3, unit: 'kg' },
    { _id: 'p', title: 'Snapper', quantity: 12.5, unit: 'kg' },
  ])
  for (const [url, body] of [
    ['/api/box/0345579444/products', [{ product_id: 'gone', quantity: 1 }]],
    ['/api/box/0345579444/products', [{ product_id: 'p', quantity: -1 }]],
    ['/api/box/0345579444/products', [...links, ...links]],
    ['/api/product/p/boxes', [{ boxID: 'gone', quantity: 1 }]],
  ] as const)
    assert.equal((await admin('PUT', url, [...body])).statusCode, 400)
  assert.equal((await admin('PUT', '/api/box/gone/products', [])).statusCode, 404)
  assert.equal((await admin('PUT', '/api/product/gone/boxes', [])).statusCode, 404)
  assert.deepEqual((await admin('PUT', '/api/product/q/boxes', [])).json(), [])
  assert.equal((await shop.app.inject('/api/product/q')).json().box, null)
  assert.equal((await shop.app.inject('/api/product/p')).json().box.boxID, '0345579444')
})

test('the label is a picture with code, id, species and place, whatever the species is called', async () => {
  await using shop = await shopWith()
  const species = `</text><script>"&' ${'long '.repeat(20)}`
  const box = sampleBox()
  const odd = { ...box, boxID: 'L'.repeat(64), catchProv: { ...caught, species } }
  assert.equal((await shop.admin('POST', '/api/box', odd)).statusCode, 201)
  const label = await shop.app.inject(`/api/box/${odd.boxID}/label.svg`)
  assert.match(String(label.headers['content-type']), /^image\/svg\+xml/)
  assert.doesNotMatch(label.body, /<script|style=/)
  assert.match(label.body, /Caught 2026-11-18/)
  const { width, height } = await sharp(Buffer.from(label.body)).metadata()
  assert.ok(width !== undefined && height !== undefined && width > height)
  assert.equal((await shop.app.inject('/api/box/nope/label.svg')).statusCode, 404)
})
