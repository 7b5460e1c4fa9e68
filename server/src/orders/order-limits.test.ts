import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { PlacedOrder } from '@befaqt/domain/api/order-api'
import { eq, inArray, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { confirmationLink } from './order-access.ts'

for (const [name, open] of testDatabases)
  test(`${name}: open checkouts of one network hold a quarter of a product together, and others have the rest`, async () => {
    await using shop = await shopWithOrders({ open }, { limited: true })
    const hold = (quantities: Record<string, number>, remoteAddress = '192.0.2.1') =>
      shop.app.inject({
        method: 'POST',
        url: '/api/order/hold',
        payload: { lines: linesOf(quantities) },
        remoteAddress,
      })
    const all = await hold({ snapper: 50, ice: 50 })
    assert.deepEqual(all.json().error.lines, [
      { product_id: 'snapper', wanted: 50, left: 12, why: 'network' },
      { product_id: 'ice', wanted: 50, left: 12, why: 'network' },
    ])
    assert.equal((await hold({ snapper: 10 })).statusCode, 201)
    assert.deepEqual((await hold({ snapper: 3 })).json().error.lines, [
      { product_id: 'snapper', wanted: 3, left: 2, why: 'network' },
    ])
    const together = await Promise.all([1, 2, 3, 4].map(() => hold({ snapper: 1 })))
    assert.deepEqual(together.map(({ statusCode }) => statusCode).sort(), [201, 201, 409, 409])
    const other = await hold({ snapper: 12 }, '198.51.100.7')
    assert.equal(other.statusCode, 201, 'of another network')
    await shop.app.inject({ method: 'DELETE', url: `/api/order/hold/${other.json()._id}` })
    assert.equal((await hold({ snapper: 12 }, '198.51.100.8')).statusCode, 201, 'what was given up is free')
    await rows(shop.deps.db, sql`update holds set expires_at = now() - interval '1 second'`)
    assert.equal((await hold({ snapper: 12 })).statusCode, 201, 'and what has ended')
  })

test('a slot is left to others, and of what is scarce two may be held', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  const slot = await shop.newSlot({ capacity: 3 })
  const hold = (payload: object) => shop.app.inject({ method: 'POST', url: '/api/order/hold', payload })
  for (const status of [201, 201, 409]) {
    const reply = await hold({ lines: linesOf({ ice: 1 }), slot, contact: buyer })
    assert.equal(reply.statusCode, status, reply.body)
    if (status === 409)
      assert.deepEqual(
        [reply.json().error.reason, reply.json().error.slots.map(({ _id }: { _id: string }) => _id)],
        ['network', [shop.pickup]],
        'others for pick-up, and not this one again',
      )
  }
  await shop.admin('PATCH', '/api/product/snapper', { stock: 3 })
  assert.equal((await hold({ lines: linesOf({ snapper: 2 }) })).statusCode, 201)
  assert.equal((await hold({ lines: linesOf({ snapper: 1 }) })).json().error.lines[0].why, 'network')
})

test('a line takes 20 kg or 50 pieces, or what its product says, from everybody; a known account holds more than a share', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  await shop.admin('PATCH', '/api/product/ice', { stock: 500 })
  await shop.admin('PATCH', '/api/product/snapper', { stock: 500 })
  const ann = await callerOf(shop, 'ann', 'USER')
  const place = (quantities: Record<string, number>) => {
    const fulfilment = { kind: 'pickup', slot: shop.pickup }
    const order = { lines: linesOf(quantities), contact: buyer, fulfilment }
    return shop.admin('POST', '/api/order', order, { 'idempotency-key': randomUUID() })
  }
  for (const [product_id, left] of [
    ['snapper', 20],
    ['ice', 50],
  ] as const) {
    const reply = await place({ [product_id]: left + 1 })
    assert.deepEqual(
      [reply.statusCode, reply.json().error.lines],
      [409, [{ product_id, wanted: left + 1, left, why: 'line' }]],
    )
    assert.equal((await place({ [product_id]: left })).statusCode, 201)
  }
  assert.equal((await shop.admin('PATCH', '/api/product/ice', { orderLimit: 120 })).statusCode, 200)
  assert.equal((await place({ ice: 120 })).statusCode, 201)
  assert.equal((await place({ ice: 121 })).statusCode, 409)
  await shop.admin('PATCH', '/api/product/ice', { stock: 40 })
  const many = { lines: linesOf({ ice: 30 }) }
  assert.equal((await ann('POST', '/api/order/hold', many)).statusCode, 409)
  const { _id: id } = await shop.placed({ ice: 1 })
  for (const status of ['PACKED', 'READY', 'COMPLETED']) await moved(shop, id, status)
  const [user] = await rows<{ id: string }>(shop.deps.db, sql`select id from users where email like 'ann%'`)
  await shop.deps.db
    .update(orders)
    .set({ userId: user?.id ?? null })
    .where(eq(orders.id, id))
  assert.equal((await ann('POST', '/api/order/hold', many)).statusCode, 201)
})

for (const [name, open] of testDatabases)
  test(`${name}: orders that nobody confirmed count for their network until the click, a card, or the packer`, async () => {
    await using shop = await shopWithOrders({ open }, { limited: true })
    const slot = await shop.newSlot({ capacity: 12 })
    const place = async (quantity: number, at = shop.pickup, remoteAddress = '192.0.2.1') => {
      const url = '/api/order'
      const headers = { 'idempotency-key': randomUUID() }
      const fulfilment = { kind: 'pickup', slot: at }
      const payload = { lines: linesOf({ snapper: quantity }), contact: buyer, fulfilment }
      return shop.app.inject({ method: 'POST', url, headers, payload, remoteAddress })
    }
    const first = (await place(8)).json()
    assert.deepEqual([first.status, (await seen(shop, first)).unconfirmed], ['PLACED', true])
    assert.deepEqual((await place(5)).json().error.lines, [
      { product_id: 'snapper', wanted: 5, left: 4, why: 'network' },
    ])
    const together = await Promise.all([1, 2, 3].map(() => place(2)))
    assert.deepEqual(together.map(({ statusCode }) => statusCode).sort(), [201, 201, 409])
    assert.equal((await place(9, shop.pickup, '198.51.100.7')).statusCode, 201, 'of another network')
    assert.equal((await confirm(shop, first)).statusCode, 200)
    assert.equal((await place(4)).statusCode, 201, 'what was confirmed counts no more')

    const id = together.find(({ statusCode }) => statusCode === 201)?.json()._id
    await shop.admin('PUT', `/api/order/${id}/packing`, { lines: [{ position: 1, grams: 2_000 }] })
    await moved(shop, id, 'PACKED')
    assert.equal((await place(1)).statusCode, 201, 'nor what the shop has packed')

    await shop.admin('PATCH', '/api/product/snapper', { stock: 50 })
    const tried = await Promise.all([1, 2, 3, 4].map(() => place(1, slot)))
    assert.deepEqual(tried.map(({ statusCode }) => statusCode).sort(), [201, 201, 201, 409])
    assert.equal(tried.find(({ statusCode }) => statusCode === 409)?.json().error.reason, 'network')
    const one = tried.find(({ statusCode }) => statusCode === 201)?.json()
    await shop.admin('POST', `/api/order/${one._id}/cancellation`, { reason: 'No' })
    assert.equal((await place(1, slot)).statusCode, 201, 'a place in a time is free again')

    const kept = await shop.deps.db
      .select({ network: orders.network })
      .from(orders)
      .where(inArray(orders.id, [first._id, id, one._id]))
    assert.deepEqual(
      kept.map(({ network }) => network),
      [null, null, null],
      'no network is kept of what counts for none',
    )
  })

const path = ({ _id, link }: PlacedOrder, more = '') => ({
  url: `/api/order/${_id}${more}?key=${new URL(link).searchParams.get('key')}`,
})
const seen = async (shop: OrderShop, order: PlacedOrder) => (await shop.app.inject(path(order))).json()
const confirm = (shop: OrderShop, order: PlacedOrder) => {
  const code = new URL(confirmationLink(shop.deps, order._id)).searchParams.get('confirm')
  return shop.app.inject({
    method: 'POST',
    ...path(order, '/confirmation'),
    payload: { confirm: code },
  })
}
