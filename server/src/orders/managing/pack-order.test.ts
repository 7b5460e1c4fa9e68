import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { records } from '#server/db/schema/boxes.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders, slotInput } from '#server/testing/orders.ts'

const { fisher } = sampleBox()

/** Two boxes with snapper in them: 4 kg and 10 kg. */
async function shopWithBoxes(options: Parameters<typeof shopWithOrders>[0] = {}) {
  const shop = await shopWithOrders(options)
  for (const boxID of ['BOX-1', 'BOX-2']) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  const links = [
    { boxID: 'BOX-1', quantity: 4 },
    { boxID: 'BOX-2', quantity: 10 },
  ]
  assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
  return shop
}

const pack = (shop: OrderShop, id: string, line: object) =>
  shop.admin('PUT', `/api/order/${id}/packing`, { lines: [{ position: 1, ...line }] })

async function packed(shop: OrderShop, id: string, line: object): Promise<OrderView> {
  const reply = await pack(shop, id, line)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

const snapperLeft = async (shop: OrderShop, boxID: string): Promise<BoxBalance> => {
  const [balance] = (await shop.admin('GET', `/api/box/${boxID}/balance`)).json()
  return balance
}

const recorded = async ({ deps }: OrderShop, boxID: string) =>
  (
    await deps.db
      .select()
      .from(records)
      .where(and(eq(records.boxId, boxID), inArray(records.kind, ['sale', 'loss'])))
      .orderBy(asc(records.seq))
  ).map(({ kind, body }) => ({ kind, text: body ?? '', data: JSON.parse(body ?? '{}').data }))

const emails = async ({ deps }: OrderShop): Promise<unknown[]> =>
  (await deps.db.select().from(jobs).where(eq(jobs.queue, 'mail.send')).orderBy(asc(jobs.id))).map(
    ({ payload }) => payload.kind,
  )

for (const [name, open] of testDatabases)
  test(`${name}: an order is weighed, packed from boxes, handed out, and each box says what was sold`, async () => {
    await using shop = await shopWithBoxes({ open })
    const { _id } = await shop.placed({ snapper: 2 })
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 409)
    const boxes = [
      { boxID: 'BOX-2', amount: 1_600 },
      { boxID: 'BOX-1', amount: 450 },
    ]
    const weighed = await packed(shop, _id, { grams: 2_050, scale: 'Bench 1', boxes })
    assert.deepEqual([weighed.totals.total, weighed.agreed, weighed.asksBuyer], [6_150, 6_000, false])
    assert.deepEqual(weighed.lines[0]?.boxes, [
      { boxID: 'BOX-1', amount: 450, recall: null, sale: null },
      { boxID: 'BOX-2', amount: 1_600, recall: null, sale: null },
    ])
    assert.deepEqual(await recorded(shop, 'BOX-1'), [])
    const done = await moved(shop, _id, 'PACKED')
    assert.match(done.invoiceNumber ?? '', /^INV-\d{4}-000001$/)
    const sold = await recorded(shop, 'BOX-2')
    assert.deepEqual(
      sold.map(({ kind, data }) => [kind, data]),
      [['sale', { product: 'Snapper', grams: 1_600 }]],
    )
    assert.doesNotMatch(sold[0]?.text ?? '', /ann|lee|0400|BF-/i)
    await moved(shop, _id, 'READY')
    const ended = await moved(shop, _id, 'COMPLETED')
    assert.deepEqual(
      [ended.events.map(({ status }) => status), ended.moves],
      [['PLACED', 'PACKED', 'READY', 'COMPLETED'], []],
    )
    assert.deepEqual(await emails(shop), ['order-placed', 'order-changed', 'order-ready'])
    assert.deepEqual(await snapperLeft(shop, 'BOX-1'), {
      product_id: 'snapper',
      counted: 'grams',
      in: 4_000,
      sold: 450,
      lost: 0,
      left: 3_550,
    })
    const bought = (await shop.admin('GET', '/api/box/BOX-1/orders')).json()
    assert.deepEqual(
      bought.map(({ number, contact, lines }: Record<string, unknown>) => [number, contact, lines]),
      [[done.number, buyer, [{ title: 'Snapper', unit: 'kg', amount: 450 }]]],
    )
    assert.equal((await shop.app.inject('/api/box/BOX-1/proof')).statusCode, 200)
    assert.equal((await pack(shop, _id, { grams: 2_000 })).statusCode, 409)
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'CANCELLED' })).statusCode, 409)
    assert.equal(await shop.stockOf('snapper'), 48)
  })

test('what costs more than agreed is asked, and packed once the buyer has accepted it', async () => {
  await using shop = await shopWithBoxes()
  const { _id, link } = await shop.placed({ snapper: 1 })
  const key = new URL(link).searchParams.get('key')
  assert.equal(
    (await packed(shop, _id, { grams: 1_100, noBox: 'From the counter' })).asksBuyer,
    false,
    '10 % above',
  )
  const dear = await packed(shop, _id, { grams: 1_101, noBox: 'From the counter' })
  assert.deepEqual([dear.asksBuyer, dear.most, dear.totals.total], [true, 3_300, 3_303])
  const refused = await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })
  assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'order.asks_buyer'])
  const accept = (total: number, by = key) =>
    shop.app.inject({ method: 'POST', url: `/api/order/${_id}/acceptance?key=${by}`, payload: { total } })
  assert.equal((await accept(3_302)).statusCode, 409, 'another total than shown')
  assert.equal((await accept(3_303, 'x')).statusCode, 404)
  const accepted = (await accept(3_303)).json()
  assert.deepEqual([accepted.asksBuyer, accepted.agreed], [false, 3_303])
  assert.equal((await moved(shop, _id, 'PACKED')).totals.total, 3_303)
  assert.deepEqual(await emails(shop), ['order-placed', 'order-changed'])
})

test('cancelling gives stock, slot and boxes back, once', async () => {
  await using shop = await shopWithBoxes()
  const slot = await shop.newSlot({ capacity: 1 })
  const fulfilment = { kind: 'pickup', slot }
  const order = async () => (await shop.place({ lines: linesOf({ snapper: 3 }), fulfilment })).json()
  const first = await order()
  await packed(shop, first._id, { grams: 3_000, boxes: [{ boxID: 'BOX-1', amount: 3_000 }] })
  await moved(shop, first._id, 'PACKED')
  assert.deepEqual([await shop.stockOf('snapper'), (await snapperLeft(shop, 'BOX-1')).left], [47, 1_000])
  const cancelled = await moved(shop, first._id, 'CANCELLED', { reason: 'The fridge broke.' })
  assert.equal(cancelled.events.at(-1)?.reason, 'The fridge broke.')
  assert.deepEqual([await shop.stockOf('snapper'), (await snapperLeft(shop, 'BOX-1')).left], [50, 4_000])
  assert.deepEqual(
    (await recorded(shop, 'BOX-1')).map(({ data }) => data),
    [
      { product: 'Snapper', grams: 3_000 },
      { product: 'Snapper', grams: 3_000, returned: true },
    ],
  )
  assert.equal(
    (await shop.admin('PATCH', `/api/order/${first._id}`, { status: 'CANCELLED' })).statusCode,
    409,
  )
  assert.equal(await shop.stockOf('snapper'), 50)
  const second = await order()
  assert.equal(second.status, 'PLACED', 'the slot is free again')
  const url = `/api/order/${second._id}/cancellation${new URL(second.link).search}`
  const replies = await Promise.all([1, 2].map(() => shop.app.inject({ method: 'POST', url, payload: {} })))
  assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409])
  assert.equal(await shop.stockOf('snapper'), 50)
  assert.equal((await emails(shop)).filter((kind) => kind === 'order-cancelled').length, 2)
  await packed(shop, (await order())._id, { grams: 3_000, boxes: [{ boxID: 'BOX-2', amount: 3_000 }] })
})

test('a box gives no more than is left in it, and what was lost has a reason', async () => {
  await using shop = await shopWithBoxes()
  const { _id } = await shop.placed({ snapper: 5 })
  const from = (boxID: string, amount: number) => ({ grams: amount, boxes: [{ boxID, amount }] })
  const over = await pack(shop, _id, from('BOX-1', 4_001))
  assert.deepEqual([over.statusCode, over.json().error.left], [409, 4_000])
  const loss = (payload: object) => shop.admin('POST', '/api/box/BOX-1/loss', payload)
  for (const bad of [
    { product_id: 'snapper', amount: 0, reason: 'x' },
    { product_id: 'snapper', amount: 1, reason: ' ' },
    { product_id: 'ice', amount: 1, reason: 'melted' },
  ])
    assert.equal((await loss(bad)).statusCode, 400, JSON.stringify(bad))
  assert.equal((await loss({ product_id: 'snapper', amount: 1_000, reason: 'Trimmed' })).statusCode, 201)
  assert.equal((await loss({ product_id: 'snapper', amount: 3_001, reason: 'Trimmed' })).statusCode, 409)
  assert.deepEqual(
    (await recorded(shop, 'BOX-1')).map(({ kind, data }) => [kind, data]),
    [['loss', { product: 'Snapper', grams: 1_000, reason: 'Trimmed' }]],
  )
  assert.equal((await pack(shop, _id, from('BOX-1', 3_001))).statusCode, 409)
  await packed(shop, _id, from('BOX-1', 3_000))
  await packed(shop, _id, from('BOX-1', 2_500))
  assert.equal((await snapperLeft(shop, 'BOX-1')).left, 500, 'packing again replaces')
  for (const [line, path] of [
    [{ grams: 0 }, 'lines[0].grams'],
    [{ grams: 10_000_000 }, 'lines[0].grams'],
    [{ grams: 1.5 }, 'lines[0].grams'],
    [{}, 'lines[0].grams'],
    [{ grams: 1_000, position: 2 }, 'lines[0].position'],
    [{ grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 999 }] }, 'lines[0].boxes'],
  ] as const) {
    const reply = await pack(shop, _id, line)
    assert.deepEqual([reply.statusCode, reply.json().error.fields?.[0]?.path], [400, path], reply.body)
  }
  assert.equal((await pack(shop, _id, from('BOX-9', 100))).statusCode, 404)
  await shop.admin('POST', '/api/box/BOX-2/seal', {})
  assert.equal((await pack(shop, _id, from('BOX-2', 100))).json().error.code, 'box.sealed')
})

test('a key for some boxes packs and moves no order from other boxes', async () => {
  await using shop = await shopWithBoxes()
  const asked = { name: 'scale', rights: ['order:write' as const], boxes: ['BOX-1'] }
  const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
  const headers = { authorization: `Bearer ${key}` }
  const { _id } = await shop.placed({ snapper: 1 })
  const packFrom = (boxID: string) => {
    const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID, amount: 1_000 }] }]
    return shop.app.inject({ method: 'PUT', url: `/api/order/${_id}/packing`, headers, payload: { lines } })
  }
  assert.deepEqual([(await packFrom('BOX-2')).statusCode, (await packFrom('BOX-1')).statusCode], [403, 200])
  await packed(shop, _id, { grams: 1_000, boxes: [{ boxID: 'BOX-2', amount: 1_000 }] })
  assert.equal((await packFrom('BOX-1')).statusCode, 404, 'what was packed from another box')
  for (const status of ['PACKED', 'CANCELLED']) {
    const reply = await shop.app.inject({
      method: 'PATCH',
      url: `/api/order/${_id}`,
      headers,
      payload: { status },
    })
    assert.equal(reply.statusCode, 404, status)
  }
})

test('slots are made, changed and closed by the shop', async () => {
  await using shop = await shopWithOrders()
  const { admin } = shop
  for (const [bad, path] of [
    [{ capacity: 0 }, 'capacity'],
    [{ kind: 'delivery' }, 'area'],
    [{ area: ['2000'] }, 'area'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ startsAt: '2026-12-24 09:00' }, 'startsAt'],
    [{ endsAt: '2020-01-01T00:00:00Z' }, 'endsAt'],
  ] as const) {
    const reply = await admin('POST', '/api/slot', slotInput(bad))
    assert.equal(reply.statusCode, 400, reply.body)
    assert.ok(
      reply.json().error.fields.some((field: { path: string }) => field.path === path),
      reply.body,
    )
  }
  const url = `/api/slot/${shop.pickup}`
  const closed = await admin('PATCH', url, { closed: true, capacity: 7, version: 1 })
  assert.deepEqual([closed.json().closed, closed.json().capacity, closed.json().version], [true, 7, 2])
  assert.equal((await admin('PATCH', url, { closed: false, version: 1 })).json().error.code, 'version.stale')
  assert.equal((await admin('PATCH', '/api/slot/none', { closed: true })).statusCode, 404)
  assert.deepEqual((await shop.app.inject('/api/slot?kind=pickup')).json(), [])
  const all = (await admin('GET', '/api/slot/all?page=1&size=1')).json()
  assert.deepEqual([all.total, all.rows.length], [2, 1])
})
