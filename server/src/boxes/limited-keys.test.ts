import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRight } from '@befaqt/domain/rights'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { connectTo, cutOff, openTestBroker } from '#server/testing/mqtt.ts'
import { rulesOf } from '#server/testing/routes.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const MINE = 'MINE-1'
const OTHER = 'OTHER-1'
const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = { ...catchProv, species: 'Snapper', time: '2026-11-18 05:10:00' }
const reading = { iotID: 'L1', time: '2026-11-19 05:10:00', latitude: 0, longitude: 0, temperature: 1 }

const handedOver = {
  time: '2026-11-19T00:00:00Z',
  from: 'A',
  to: 'B',
  temperature: null,
  accepted: true,
  reason: '',
  latitude: 0,
  longitude: 0,
}

/** An EPCIS document about one box. */
const documentOf = (boxID: string) => ({
  '@context': [],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  epcisBody: {
    eventList: [
      {
        bizStep: 'packing',
        eventTime: '2026-11-18T00:00:00Z',
        childQuantityList: [{ epcClass: `urn:gdst:x:product:lot:class:a.b.${boxID}` }],
      },
    ],
  },
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = (method: Method, url: string, payload?: object) => Promise<LightMyRequestResponse>

/** What a call does for a box: the request, whose answer must be a refusal for a box of others. */
const takesBox: Record<string, (call: Call, boxID: string) => Promise<LightMyRequestResponse>> = {
  'POST /api/box': (call, boxID) => call('POST', '/api/box', { ...sampleBox(), boxID }),
  'POST /api/box/epcis': (call, boxID) => call('POST', '/api/box/epcis', documentOf(boxID)),
  'GET /api/manage/labels': (call, boxID) => call('GET', `/api/manage/labels?box=${boxID}`),
  'POST /api/box/registration': (call, boxID) => call('POST', '/api/box/registration', { boxID, fisher }),
  'POST /api/box/:boxID/catch': (call, boxID) => call('POST', `/api/box/${boxID}/catch`, caught),
  'POST /api/box/:boxID/weight': (call, boxID) =>
    call('POST', `/api/box/${boxID}/weight`, { of: 'box', grams: 1 }),
  'POST /api/box/:boxID/correction': (call, boxID) =>
    call('POST', `/api/box/${boxID}/correction`, { seq: 1, reason: 'x', data: fisher }),
  'POST /api/box/:boxID/handover': (call, boxID) => call('POST', `/api/box/${boxID}/handover`, handedOver),
  'POST /api/box/:boxID/seal': (call, boxID) => call('POST', `/api/box/${boxID}/seal`, {}),
  'POST /api/box/:boxID/image': (call, boxID) => call('POST', `/api/box/${boxID}/image`, {}),
  'POST /api/box/:boxID/enose': (call, boxID) => call('POST', `/api/box/${boxID}/enose`, {}),
  'GET /api/station/box/:boxID': (call, boxID) => call('GET', `/api/station/box/${boxID}`),
  'GET /api/manage/box/:boxID': (call, boxID) => call('GET', `/api/manage/box/${boxID}`),
  'PUT /api/box/:boxID/products': (call, boxID) =>
    call('PUT', `/api/box/${boxID}/products`, [{ product_id: 'p', quantity: 1 }]),
  'PUT /api/product/:id/boxes': (call, boxID) =>
    call('PUT', '/api/product/p/boxes', [{ boxID, quantity: 1 }]),
  'GET /api/box/:boxID/orders': (call, boxID) => call('GET', `/api/box/${boxID}/orders`),
  'GET /api/box/:boxID/complaints': (call, boxID) => call('GET', `/api/box/${boxID}/complaints`),
  'GET /api/box/:boxID/balance': (call, boxID) => call('GET', `/api/box/${boxID}/balance`),
  'POST /api/box/:boxID/loss': (call, boxID) =>
    call('POST', `/api/box/${boxID}/loss`, { product_id: 'p', amount: 1, reason: 'x' }),
  'POST /api/manage/box/:boxID/alert': (call, boxID) =>
    call('POST', `/api/manage/box/${boxID}/alert`, { kind: 'warm', at: '2026-11-19T00:00:00Z', seen: true }),
  'GET /api/box/:boxID/sale': (call, boxID) => call('GET', `/api/box/${boxID}/sale`),
  'PUT /api/box/:boxID/sale': (call, boxID) => call('PUT', `/api/box/${boxID}/sale`, { offSale: false }),
  'GET /api/box/:boxID/recall': (call, boxID) => call('GET', `/api/box/${boxID}/recall`),
  'POST /api/box/:boxID/recall': (call, boxID) => call('POST', `/api/box/${boxID}/recall`, { reason: 'x' }),
  'POST /api/box/:boxID/recall/notices': (call, boxID) => call('POST', `/api/box/${boxID}/recall/notices`),
  'POST /api/box/:boxID/recall/withdrawal': (call, boxID) =>
    call('POST', `/api/box/${boxID}/recall/withdrawal`, { reason: 'x' }),
}

/** Calls that answer or change many boxes at once, or name none; each is shown by a test of its own, here or where it says. */
const shownBelow = [
  'GET /api/manage/box',
  'GET /api/box/epcis', // epcis/epcis.test.ts
  'GET /api/manage/trade',
  'GET /api/station', // results/station.test.ts
  'POST /api/tracking',
  'GET /api/product',
  'GET /api/product/:id/manage',
  'PATCH /api/product/:id', // refused to limited keys: orders/limited-keys.test.ts
  'DELETE /api/product/:id',
  'GET /api/box/:boxID/recall.csv',
  'PUT /api/order/:id/packing', // orders/managing/pack-order.test.ts
  'PATCH /api/order/:id',
  'PUT /api/order/:id/slot', // refused to limited keys: orders/limited-keys.test.ts
  'GET /api/order/waiting', // refused to limited keys: orders/limited-keys.test.ts
  'GET /api/order/day',
  'POST /api/order/:id/left-out',
  'GET /api/order/:id/manage',
  'POST /api/order/:id/payment/settlement', // paying/paying.test.ts
  'POST /api/tracking/tive', // devices/trackers/trackers.test.ts
  'POST /api/tracking/lorawan',
  'POST /api/tracking/file', // devices/logger-files/logger-files.test.ts
]

/** Calls with a right that neither take nor answer a box. */
const withoutBoxes = [
  /^(GET|PATCH|DELETE) \/api\/user\//,
  /^(GET|PATCH) \/api\/(complaint(\/:id)?|order\/:id\/complaint\/manage)$/, // refused to limited keys: orders/complaints/complaints.test.ts
  /^\w+ \/api\/coupon(\/:id)?$/, // refused to limited keys: orders/limited-keys.test.ts
  /^\w+ \/api\/category/,
  /^POST \/api\/product(\/bulk|\/bulk\/preview|\/bulk\/undo|\/duplicate|\/import)?$/,
  /^GET \/api\/product\/export\.csv$/,
  /^\w+ \/api\/product\/picture(\/:id(\/retry)?)?$/, // refused to limited keys: orders/limited-keys.test.ts
  /^\w+ \/api\/slot/,
  /^GET \/api\/order\/(all|export\.csv)$/,
  /^\w+ \/api\/tracking\/(column-map|file\/preview)$/,
  /^\w+ \/api\/(device|tracker)(\/|$)/, // refused to limited keys: devices.test.ts
]

async function shopWithKey(open?: Parameters<typeof testShop>[0]) {
  const now = () => new Date('2026-11-20T00:00:00Z')
  const shop = await testShop({ ...open, deps: { now } })
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  const row = { categoryId: 'c', priceCents: 100, unit: 'kg', includeGst: false, discount: 0, stock: 1 }
  await db
    .insert(products)
    .values({ ...row, id: 'p', title: 'Snapper', shelfPos: '1', status: 'ACTIVE', description: '' })
  const all = await callerWith(shop, null)
  for (const boxID of [MINE, OTHER])
    assert.equal((await all('POST', '/api/box/registration', { boxID, fisher })).statusCode, 201)
  return { ...shop, all, mine: await callerWith(shop, [MINE, 'MINE-2']) }
}

const RIGHTS: KeyRight[] = ['box:write', 'record:write', 'shop:write', 'order:write', 'user:write']

async function callerWith(shop: TestShop, boxIDs: string[] | null): Promise<Call & { key: string }> {
  const asked = { name: 'gate', rights: RIGHTS, boxes: boxIDs }
  const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
  const headers = { authorization: `Bearer ${key}` }
  const call: Call = (method, url, payload) =>
    shop.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return Object.assign(call, { key })
}

const linked = async ({ deps }: TestShop) =>
  (
    await deps.db
      .select({ boxId: productBoxes.boxId })
      .from(productBoxes)
      .where(eq(productBoxes.productId, 'p'))
      .orderBy(productBoxes.boxId)
  ).map(({ boxId }) => boxId)

test('every operation open to keys is tested here, or concerns no boxes', async () => {
  await using shop = await testShop()
  const withRight = Object.entries(rulesOf(shop.app)).flatMap(([key, rule]) =>
    typeof rule === 'object' && !rule.people ? [key] : [],
  )
  const unknown = withRight.filter(
    (key) =>
      takesBox[key] === undefined && !shownBelow.includes(key) && !withoutBoxes.some((one) => one.test(key)),
  )
  assert.deepEqual(unknown, [])
  assert.deepEqual(
    Object.keys(takesBox).filter((key) => !withRight.includes(key)),
    [],
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: a key for some boxes is refused by every operation on other boxes`, async () => {
    await using shop = await shopWithKey({ open })
    const before = await shop.deps.db.select().from(boxes).where(eq(boxes.id, OTHER))
    for (const [route, ask] of Object.entries(takesBox)) {
      const refused = await ask(shop.mine, OTHER)
      assert.equal(refused.statusCode, 403, `${route}: ${refused.statusCode} ${refused.body}`)
      const own = await ask(shop.mine, route === 'POST /api/box' ? 'MINE-2' : MINE)
      assert.notEqual(own.statusCode, 403, `${route}: ${own.body}`)
    }
    assert.deepEqual(await shop.deps.db.select().from(boxes).where(eq(boxes.id, OTHER)), before)
    assert.deepEqual(await linked(shop), [MINE])
  })

test('a key for some boxes sees only those, in lists of boxes and with products', async () => {
  await using shop = await shopWithKey()
  const both = [{ boxID: OTHER }, { boxID: MINE }]
  assert.equal((await shop.all('PUT', '/api/product/p/boxes', both)).statusCode, 200)
  const ids = (reply: LightMyRequestResponse): string[] =>
    reply.json().rows.map(({ boxID }: { boxID: string }) => boxID)
  const list = await shop.mine('GET', '/api/manage/box')
  assert.deepEqual([ids(list), list.json().total], [[MINE], 1])
  assert.equal((await shop.all('GET', '/api/manage/box')).json().total, 2)
  assert.equal((await shop.mine('GET', `/api/manage/box?q=${OTHER}`)).json().total, 0)
  const told = [
    await shop.mine('GET', '/api/product'),
    await shop.mine('GET', '/api/product?page=1'),
    await shop.mine('GET', '/api/product/p/manage'),
  ]
  assert.deepEqual(
    told.map(({ statusCode }) => statusCode),
    [200, 200, 200],
  )
  for (const { body } of told) {
    assert.match(body, new RegExp(MINE))
    assert.doesNotMatch(body, new RegExp(OTHER))
  }
})

test('a key for some boxes does not change the links of other boxes', async () => {
  await using shop = await shopWithKey()
  await shop.all('PUT', '/api/product/p/boxes', [{ boxID: OTHER, quantity: 3 }])
  assert.equal((await shop.mine('PUT', '/api/product/p/boxes', [{ boxID: MINE }])).statusCode, 200)
  assert.deepEqual(await linked(shop), [MINE, OTHER])
  assert.equal((await shop.mine('PUT', '/api/product/p/boxes', [])).statusCode, 200)
  assert.deepEqual(await linked(shop), [OTHER])
  const { boxes: kept } = (await shop.all('GET', '/api/product/p/manage')).json()
  assert.deepEqual(kept, [{ boxID: OTHER, quantity: 3 }])
  await shop.all('PATCH', '/api/product/p', { status: 'DISABLED' })
  const refused = await shop.mine('DELETE', '/api/product/p')
  assert.deepEqual([refused.statusCode, refused.json().error.code], [403, 'auth.forbidden'])
  assert.deepEqual(await linked(shop), [OTHER])
  await shop.all('PUT', '/api/product/p/boxes', [{ boxID: MINE }])
  assert.equal((await shop.mine('DELETE', '/api/product/p')).statusCode, 403)
  assert.equal((await shop.mine('PATCH', '/api/product/p', { stock: 7 })).statusCode, 403)
})

test('a key for some boxes cannot give a product more links than the limit', async () => {
  await using shop = await shopWithKey()
  const many = Array.from({ length: 200 }, (_, i) => ({ id: `OTHER-${i + 100}`, head: '0'.repeat(64) }))
  await shop.deps.db.insert(boxes).values(many)
  const links = many.map(({ id }) => ({ boxID: id }))
  assert.equal((await shop.all('PUT', '/api/product/p/boxes', links)).statusCode, 200)
  const refused = await shop.mine('PUT', '/api/product/p/boxes', [{ boxID: MINE }])
  assert.deepEqual([refused.statusCode, refused.json().error.code], [400, 'input.invalid'])
})

test('readings for other boxes are rejected over HTTP and MQTT', async () => {
  await using shop = await shopWithKey()
  const readings = [MINE, OTHER].map((box) => ({ box, ...reading }))
  const answer = (await shop.mine('POST', '/api/tracking', { readings })).json()
  assert.deepEqual([answer.accepted, answer.refused.map(({ index }: { index: number }) => index)], [1, [1]])
  await using broker = await openTestBroker(shop.deps)
  const device = await connectTo(broker.port, { username: 'key', password: shop.mine.key })
  const closed = cutOff(device)
  device.publish(`befaqt/${OTHER}/tracking`, JSON.stringify(reading), { qos: 1 })
  await closed
  await device.endAsync(true)
  const [other] = await shop.deps.db.select().from(boxes).where(eq(boxes.id, OTHER))
  assert.equal(other?.count, 1)
})
