import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { weigh } from '@befaqt/provenance/balance'
import { and, asc, eq } from 'drizzle-orm'
import { records } from '#server/db/schema/boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = catchProv ?? assert.fail('no catch')

/** A box with 10 kg of snapper linked to it, caught. */
async function shopWithBox(options: Parameters<typeof shopWithOrders>[0] = {}, hasCatch = true) {
  const shop = await shopWithOrders(options)
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher })
  if (hasCatch) assert.equal((await shop.admin('POST', '/api/box/BOX-1/catch', caught)).statusCode, 201)
  const links = [{ boxID: 'BOX-1', quantity: 10 }]
  assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
  return shop
}

const weighed = (shop: OrderShop, grams: number, more: object = { of: 'box' }) =>
  shop.admin('POST', '/api/box/BOX-1/weight', { grams, ...more })

const packed = (shop: OrderShop, id: string, grams: number) =>
  shop.admin('PUT', `/api/order/${id}/packing`, {
    lines: [{ position: 1, grams, boxes: [{ boxID: 'BOX-1', amount: grams }] }],
  })

const lost = (shop: OrderShop, amount: number) =>
  shop.admin('POST', '/api/box/BOX-1/loss', { product_id: 'snapper', amount, reason: 'Trimmed' })

async function recordOf({ deps }: OrderShop, seq: number) {
  const [row] = await deps.db
    .select()
    .from(records)
    .where(and(eq(records.boxId, 'BOX-1'), eq(records.seq, seq)))
  return row ?? assert.fail(`no record ${seq}`)
}

/** What a stranger who checks the box adds up. */
async function balanceOf({ deps }: OrderShop) {
  const rows = await deps.db
    .select()
    .from(records)
    .where(eq(records.boxId, 'BOX-1'))
    .orderBy(asc(records.seq))
  const { balance, problems } = weigh({ records: rows.map(({ body }) => JSON.parse(body ?? '')) })
  assert.deepEqual(problems, [])
  return balance
}

for (const [name, open] of testDatabases) {
  test(`${name}: a weighed box sells and loses no more than went in, and its proof says so to the gram`, async () => {
    await using shop = await shopWithBox({ open })
    assert.equal((await weighed(shop, 4_100, { of: 'catch', scale: 'Scale 2' })).statusCode, 201)
    const { _id } = await shop.placed({ snapper: 4 })
    const over = await packed(shop, _id, 4_101)
    assert.deepEqual(
      [over.statusCode, over.json().error.code, over.json().error.left],
      [409, 'box.insufficient', 4_100],
    )
    assert.equal((await packed(shop, _id, 3_900)).statusCode, 200)
    assert.equal((await lost(shop, 201)).statusCode, 409, 'what is promised is not lost')
    assert.equal((await lost(shop, 200)).statusCode, 201)
    assert.equal((await packed(shop, _id, 3_901)).statusCode, 409)
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 200)
    const { words, state, left } = await balanceOf(shop)
    const [line] = (await shop.admin('GET', `/api/order/${_id}`)).json().lines
    const { body } = await recordOf(shop, line.boxes[0].sale)
    assert.deepEqual(
      JSON.parse(body ?? '').data,
      { product: 'Snapper', grams: 3_900 },
      'the buyer finds his own',
    )
    assert.deepEqual(
      [words, state, left],
      ['Sold 3.9 of 4.1 kg, lost 0.2 kg; 0.0 kg left. Weight of “Scale 2”, typed in.', 'whole', 0],
    )
  })

  test(`${name}: a weight below what was sold, lost or promised, or above the catch, is refused; more is a record`, async () => {
    await using shop = await shopWithBox({ open })
    const { _id } = await shop.placed({ snapper: 4 })
    assert.equal((await packed(shop, _id, 4_000)).statusCode, 200)
    const less = await weighed(shop, 3_999)
    assert.deepEqual(
      [less.statusCode, less.json().error.fields],
      [400, [{ path: 'grams', message: '4.0 kg of this box are sold, lost or promised already.' }]],
    )
    assert.equal((await weighed(shop, 5_000, { of: 'catch' })).statusCode, 201)
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 200)
    assert.equal((await lost(shop, 500)).statusCode, 201)
    assert.equal((await weighed(shop, 4_499)).statusCode, 400)
    assert.match((await weighed(shop, 5_101)).json().error.fields[0].message, /^5\.0 kg were caught/)
    assert.equal((await weighed(shop, 5_100)).statusCode, 201)
    const { total, of, raised, left } = await balanceOf(shop)
    assert.deepEqual([total, of, raised, left], [5_100, 'box', { from: 5_000 }, 600])
  })
}

test('what comes back of a cancelled order can be sold again, and the same weight twice is one record', async () => {
  await using shop = await shopWithBox()
  const [first, again] = [await weighed(shop, 2_000), await weighed(shop, 2_000)]
  assert.equal(first.json().seq, again.json().seq)
  for (let turn = 0; turn < 2; turn++) {
    const { _id } = await shop.placed({ snapper: 2 })
    assert.equal((await packed(shop, _id, 2_000)).statusCode, 200)
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 200)
    if (turn === 0)
      assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'CANCELLED' })).statusCode, 200)
  }
  const { sold, returned, left } = await balanceOf(shop)
  assert.deepEqual([sold, returned, left], [2_000, 2_000, 0])
})

test('two who pack the last of a weighed box at once: one gets it', async () => {
  await using shop = await shopWithBox()
  const orders = [await shop.placed({ snapper: 2 }), await shop.placed({ snapper: 2 })]
  await weighed(shop, 3_000)
  const replies = await Promise.all(orders.map(({ _id }) => packed(shop, _id, 2_000)))
  assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409])
})

test('a box without a catch, a sealed one and an impossible weight are refused, each in words', async () => {
  await using shop = await shopWithBox({}, false)
  const before = await weighed(shop, 1_000)
  assert.deepEqual([before.statusCode, before.json().error.code], [409, 'conflict'])
  await shop.admin('POST', '/api/box/BOX-1/catch', caught)
  for (const [grams, more] of [
    [0, {}],
    [-1, {}],
    [10_000_000, {}],
    [1.5, {}],
    [1, { of: 'fish' }],
    [1, { buyer: 'Marcus' }],
  ] as const)
    assert.equal((await weighed(shop, grams, { of: 'box', ...more })).statusCode, 400, String(grams))
  await shop.admin('POST', '/api/box/BOX-1/seal', {})
  assert.equal((await weighed(shop, 1_000)).json().error.code, 'box.sealed')
  const isWeight = and(eq(records.boxId, 'BOX-1'), eq(records.kind, 'weight'))
  assert.equal(await shop.deps.db.$count(records, isWeight), 0)
})

test('a box that sold before its catch was recorded is not weighed: no history with both is believed', async () => {
  await using shop = await shopWithBox({}, false)
  const { _id } = await shop.placed({ snapper: 1 })
  await packed(shop, _id, 1_000)
  assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 200)
  await shop.admin('POST', '/api/box/BOX-1/catch', caught)
  assert.equal((await weighed(shop, 5_000)).json().error.code, 'conflict')
})
