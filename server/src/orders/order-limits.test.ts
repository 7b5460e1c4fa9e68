import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, shopWithOrders } from '#server/testing/orders.ts'

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
    const reply = await hold({ lines: linesOf({ ice: 1 }), slot })
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
  for (const [product_id, left] of [
    ['snapper', 20],
    ['ice', 50],
  ] as const) {
    const reply = await shop.place({ lines: [{ product_id, quantity: left + 1 }] })
    assert.deepEqual(
      [reply.statusCode, reply.json().error.lines],
      [409, [{ product_id, wanted: left + 1, left, why: 'line' }]],
    )
    assert.equal((await shop.place({ lines: [{ product_id, quantity: left }] })).statusCode, 201)
  }
  assert.equal((await shop.admin('PATCH', '/api/product/ice', { orderLimit: 120 })).statusCode, 200)
  assert.equal((await shop.place({ lines: linesOf({ ice: 120 }) })).statusCode, 201)
  assert.equal((await shop.place({ lines: linesOf({ ice: 121 }) })).statusCode, 409)
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
