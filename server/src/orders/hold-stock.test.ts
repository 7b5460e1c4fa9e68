import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orders } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { linesOf, shopWithOrders } from '#server/testing/orders.ts'

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
