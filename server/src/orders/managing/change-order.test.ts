import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { slots } from '#server/db/schema/orders.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const change = ({ admin }: OrderShop, id: string, slot: string, more: object = {}) =>
  admin('PUT', `/api/order/${id}/slot`, { slot, ...more })

const takenOf = async ({ admin }: OrderShop, id: string): Promise<number> => {
  const { rows } = (await admin('GET', '/api/slot/all')).json()
  return rows.find(({ _id }: { _id: string }) => _id === id).orders
}

const emails = async ({ deps }: OrderShop): Promise<unknown[]> =>
  (await deps.db.select().from(jobs).where(eq(jobs.queue, 'mail.send'))).map(({ payload }) => payload.kind)

for (const [name, open] of testDatabases)
  test(`${name}: of many orders moved to a slot at once no more get in than it takes`, async () => {
    await using shop = await shopWithOrders({ open })
    const to = await shop.newSlot({ capacity: 2 })
    const orders = await Promise.all([1, 2, 3, 4, 5].map(() => shop.placed({ ice: 1 })))
    const replies = await Promise.all(orders.map(({ _id }) => change(shop, _id, to)))
    const statuses = replies.map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(statuses, [200, 200, 409, 409, 409])
    assert.deepEqual([await takenOf(shop, to), await takenOf(shop, shop.pickup)], [2, 3])
    const refused = replies.find(({ statusCode }) => statusCode === 409)?.json().error
    assert.deepEqual([refused.code, refused.reason], ['slot.unavailable', 'full'])
    assert.deepEqual(
      refused.slots.map(({ _id }: { _id: string }) => _id),
      [shop.pickup],
    )
    assert.equal((await emails(shop)).filter((kind) => kind === 'order-moved').length, 2)
  })

test('a moved order says so to buyer and history, and moving it there again changes nothing', async () => {
  await using shop = await shopWithOrders()
  const to = await shop.newSlot({})
  const { _id } = await shop.placed({ ice: 1 })
  const done = (await change(shop, _id, to, { version: 1 })).json()
  assert.deepEqual([done.slot._id, done.version, done.status], [to, 2, 'PLACED'])
  assert.match(done.events.at(-1).reason, /^Moved from \w{3} \d+ \w{3}, .* to \w{3} \d+ \w{3}, /)
  const again = await change(shop, _id, to, { version: 1 })
  assert.deepEqual([again.statusCode, again.json().version], [200, 2])
  assert.deepEqual(await emails(shop), ['order-placed', 'order-moved'])
  assert.equal((await change(shop, _id, shop.pickup, { version: 1 })).json().error.code, 'version.stale')
})

test('an order is moved only where its buyer could have ordered, and until it has left', async () => {
  await using shop = await shopWithOrders()
  const fulfilment = { kind: 'delivery', slot: shop.delivery, address }
  const order = (await shop.place({ lines: linesOf({ ice: 1 }), fulfilment })).json()
  const reasonOf = async (slot: string) => {
    const reply = await change(shop, order._id, slot)
    assert.equal(reply.statusCode, 409, reply.body)
    return reply.json().error.reason
  }
  assert.equal(await reasonOf(shop.pickup), 'area', 'another kind')
  assert.equal(await reasonOf(await shop.newSlot({ kind: 'delivery', area: ['3000'] })), 'area')
  const near = { kind: 'delivery', area: ['2009'] }
  assert.equal(await reasonOf(await shop.newSlot({ ...near, closed: true })), 'closed')
  const late = await shop.newSlot(near)
  await shop.deps.db
    .update(slots)
    .set({ cutOffAt: new Date(Date.now() - 1_000) })
    .where(eq(slots.id, late))
  assert.equal(await reasonOf(late), 'closed')
  assert.equal(await reasonOf('none'), 'gone')
  assert.equal((await change(shop, order._id, '')).statusCode, 400)
  assert.equal((await change(shop, 'none', late)).statusCode, 404)
  assert.equal(await takenOf(shop, shop.delivery), 1)
  const open = await shop.newSlot(near)
  await moved(shop, order._id, 'PACKED')
  assert.equal((await change(shop, order._id, open)).statusCode, 200)
  await moved(shop, order._id, 'SENT')
  assert.equal((await change(shop, order._id, shop.delivery)).json().error.code, 'order.state')
})

test('a key for some boxes moves no order that was packed from others', async () => {
  await using shop = await shopWithOrders()
  const fisher = { traderID: 'T-1', traderName: 'Sample', companyName: '', boat: '', address: '' }
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher })
  await shop.admin('PUT', '/api/product/ice/boxes', [{ boxID: 'BOX-1', quantity: 5 }])
  const { _id } = await shop.placed({ ice: 1 })
  const lines = [{ position: 1, boxes: [{ boxID: 'BOX-1', amount: 1 }] }]
  assert.equal((await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
  const asked = { name: 'gate', rights: ['order:write' as const], boxes: ['BOX-2'] }
  const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
  const slot = await shop.newSlot({})
  const reply = await shop.app.inject({
    method: 'PUT',
    url: `/api/order/${_id}/slot`,
    headers: { authorization: `Bearer ${key}` },
    payload: { slot },
  })
  assert.equal(reply.statusCode, 403, reply.body)
})
