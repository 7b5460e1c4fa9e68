import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { buyer, linesOf, shopWithOrders } from '#server/testing/orders.ts'

test('what is meant for an account is rejected once the session has ended', async () => {
  await using shop = await shopWithOrders()
  const lines = linesOf({ ice: 1 })
  const placed = await shop.place({ lines, account: true })
  assert.deepEqual([placed.statusCode, placed.json().error.code], [401, 'auth.required'])
  const payload = { lines, account: true }
  assert.equal((await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload })).statusCode, 401)
  assert.deepEqual([await shop.deps.db.$count(orders), await shop.stockOf('ice')], [0, 50])
  const ann = await callerOf(shop, 'ann', 'USER')
  assert.equal((await ann('POST', '/api/order/hold', payload)).statusCode, 201)
})

test('a hold keeps stock and slot from others, not from its own order, and ends by itself', async () => {
  await using shop = await shopWithOrders()
  const slot = await shop.newSlot({ capacity: 1 })
  const lines = linesOf({ snapper: 40 })
  const fulfilment = { kind: 'pickup', slot }
  const hold = (payload: object) => shop.app.inject({ method: 'POST', url: '/api/order/hold', payload })
  const first = await hold({ lines, slot, contact: buyer })
  assert.equal(first.statusCode, 201, first.body)
  const nobody = await hold({ lines, slot })
  assert.deepEqual(
    [nobody.statusCode, nobody.json().error.fields?.[0].path],
    [400, 'contact'],
    'a time is for somebody',
  )
  const mine = first.json()._id
  assert.deepEqual((await shop.place({ lines: linesOf({ snapper: 11 }) })).json().error.lines, [
    { product_id: 'snapper', wanted: 11, left: 10 },
  ])
  assert.equal((await hold({ lines })).statusCode, 409)
  assert.equal((await shop.place({ lines: linesOf({ ice: 1 }), fulfilment })).json().error.reason, 'full')
  const again = await hold({ lines, slot, contact: buyer, hold: mine })
  assert.deepEqual([again.statusCode, again.json()._id], [201, mine], again.body)
  assert.equal((await shop.place({ lines, fulfilment, hold: randomUUID() })).statusCode, 409, 'not theirs')
  const ordered = await shop.place({ lines, fulfilment, hold: mine })
  assert.equal(ordered.statusCode, 201, ordered.body)
  assert.equal(await shop.stockOf('snapper'), 10)
  const third = await hold({ lines: linesOf({ snapper: 10 }) })
  assert.equal((await shop.place({ lines: linesOf({ snapper: 1 }) })).statusCode, 409)
  await shop.app.inject({ method: 'DELETE', url: `/api/order/hold/${third.json()._id}` })
  assert.equal((await shop.place({ lines: linesOf({ snapper: 1 }) })).statusCode, 201)
  const bits = randomUUID().replaceAll('-', '')
  assert.equal((await hold({ lines: linesOf({ snapper: 9 }), hold: bits })).statusCode, 201)
  await shop.app.inject({ method: 'DELETE', url: `/api/order/hold/${bits}` })
  const nine = await hold({ lines: linesOf({ snapper: 9 }) })
  assert.equal(nine.statusCode, 201, 'what is held under any id can be given up')
  assert.equal((await shop.place({ lines: linesOf({ snapper: 9 }) })).statusCode, 409)
  await rows(shop.deps.db, sql`update holds set expires_at = now() - interval '1 second'`)
  assert.equal((await shop.place({ lines: linesOf({ snapper: 9 }) })).statusCode, 201)
  assert.equal(await shop.stockOf('snapper'), 0)
  const id = randomUUID()
  const sent = { lines: linesOf({ ice: 1 }), hold: id }
  const twice = await Promise.all([hold(sent), hold(sent)])
  assert.deepEqual(
    twice.map(({ statusCode }) => statusCode),
    [201, 201],
    'sent again because its answer was lost',
  )
  const ann = await callerOf(shop, 'ann', 'USER')
  const ice = { lines: linesOf({ ice: 49 }) }
  assert.equal((await ann('POST', '/api/order/hold', { lines: linesOf({ ice: 50 }) })).statusCode, 409)
  const taken = await ann('POST', '/api/order/hold', { ...ice, hold: id })
  assert.deepEqual([taken.statusCode, taken.json()._id], [201, id], 'of a guest who logs in')
  const bob = await callerOf(shop, 'bob', 'USER')
  const others = await bob('POST', '/api/order/hold', sent)
  assert.deepEqual([others.statusCode, others.json().error.code], [409, 'conflict'])
  for (const quantity of [40, 50])
    assert.equal(
      (await ann('POST', '/api/order/hold', { lines: linesOf({ ice: quantity }) })).statusCode,
      201,
      'a user’s own hold is replaced',
    )
  assert.equal((await shop.place({ lines: linesOf({ ice: 1 }) })).statusCode, 409)
})
