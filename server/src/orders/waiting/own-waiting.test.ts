import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { callerOf } from '#server/testing/caller.ts'
import { cardShop } from '#server/testing/card-shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, unlimited } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases)
  test(`${name}: a buyer with an account finds what of theirs waits, until it is an order, dropped or over`, async () => {
    await using shop = await cardShop({ open })
    Object.assign(shop.deps.siteFile.orders, { ...unlimited, firstOrderDollars: 500 })
    const ben = await callerOf(shop, 'ben', 'USER')
    const eve = await callerOf(shop, 'eve', 'USER')
    const order = async (by: typeof ben, more: object = {}) => {
      const fulfilment = { kind: 'pickup', slot: shop.pickup }
      const body = { lines: linesOf({ snapper: 17 }), contact: buyer, fulfilment, ...more }
      return (await by('POST', '/api/order', body, { 'idempotency-key': randomUUID() })).json()._id
    }
    const waits = async (by = ben): Promise<string[]> => {
      const reply = await by('GET', '/api/order/waiting/own')
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json().map(({ _id }: { _id: string }) => _id)
    }
    assert.equal((await shop.app.inject('/api/order/waiting/own')).statusCode, 401)
    assert.deepEqual(await waits(), [])
    await shop.byCard({ snapper: 17 }) // of a guest
    const ids = [await order(ben), await order(ben), await order(ben), await order(ben, { payment: 'card' })]
    const hers = await order(eve)
    assert.deepEqual([await waits(), await waits(eve)], [ids.toReversed(), [hers]], 'the newest first')
    const [shown] = (await ben('GET', '/api/order/waiting/own')).json()
    assert.deepEqual(
      [shown.status, shown.payment, shown.card.state, shown.totals.total, shown.contact.email],
      ['WAITING', 'card', 'OPEN', 51_000, buyer.email],
    )
    assert.ok(Date.parse(shown.until) > Date.now())
    const [confirmed, dropped, over, left] = ids
    assert.equal((await shop.admin('POST', `/api/order/${confirmed}/confirmation`, {})).statusCode, 200)
    assert.equal((await ben('POST', `/api/order/${dropped}/cancellation`, {})).statusCode, 200)
    await rows(shop.deps.db, sql`update waiting_orders set ends_at = now() where id = ${over}`)
    assert.deepEqual(await waits(), [left])
    const { rows: placed } = (await ben('GET', '/api/order')).json()
    assert.deepEqual(
      placed.map(({ _id }: { _id: string }) => _id),
      [confirmed],
    )
    assert.equal(
      (await ben('POST', `/api/order/${left}/confirmation/email`)).statusCode,
      204,
      'without a key',
    )
    assert.deepEqual(await waits(eve), [hers])
  })
