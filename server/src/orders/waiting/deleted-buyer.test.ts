import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import { purge } from '#server/db/retention.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { payments } from '#server/db/schema/payments.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { AUTHORIZED, type ByCard, type CardShop, cardShop, count } from '#server/testing/card-shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, unlimited } from '#server/testing/orders.ts'
import { orderRetention } from '../retention.ts'

type Shop = CardShop

/** An order of this account that waits for its card, and where it is paid. */
async function byCard(shop: Shop, account: Caller, quantity: number): Promise<ByCard> {
  const fulfilment = { kind: 'pickup', slot: shop.pickup }
  const order = { lines: linesOf({ snapper: quantity }), contact: buyer, fulfilment, payment: 'card' }
  const reply = await account('POST', '/api/order', order, { 'idempotency-key': randomUUID() })
  assert.deepEqual([reply.statusCode, reply.json().status], [201, 'WAITING'], reply.body)
  const { _id: id, link } = reply.json()
  return { id, path: `/api/order/${id}`, query: new URL(link).search }
}

async function deleteAccount({ admin, deps }: Shop, id: string): Promise<void> {
  const disabled = await admin('PATCH', `/api/user/${id}`, { status: 'DISABLED' })
  assert.equal(disabled.statusCode, 200, disabled.body)
  assert.equal((await admin('DELETE', `/api/user/${id}`)).statusCode, 204)
  assert.equal(await deps.db.$count(waitingOrders), 0, 'what waited went with the account')
}

const states = async ({ deps }: Shop) =>
  (await deps.db.select({ state: payments.state }).from(payments)).map(({ state }) => state)
const failed = ({ deps }: Shop) => deps.db.$count(jobs, sql`failed_at is not null`)

for (const [name, open] of testDatabases) {
  test(`${name}: a hold is released although the account of its dropped order is deleted before that`, async () => {
    await using shop = await cardShop({ open })
    Object.assign(shop.deps.siteFile.orders, { ...unlimited, firstOrderDollars: 500 })
    const order = await byCard(shop, await callerOf(shop, 'ben', 'USER'), 17)
    const url = await shop.page(order)
    await shop.admin('PATCH', '/api/product/snapper', { stock: 3 })
    shop.stripe.pay(url)
    assert.equal((await shop.send(shop.stripe.event(AUTHORIZED, url))).statusCode, 204)
    assert.deepEqual(await states(shop), ['AUTHORIZED'], 'not left: to be released')
    await deleteAccount(shop, 'ben')
    await shop.settle()
    assert.deepEqual([await states(shop), count(shop, /cancel/), await failed(shop)], [['RELEASED'], 1, 0])
    await shop.settle()
    await purge(shop.deps.db, new Date(Date.now() + 20 * DAY_MS), orderRetention)
    assert.deepEqual([await states(shop), count(shop, /cancel/)], [[], 1], 'and forgotten')
  })

  test(`${name}: what is paid after the account went is released, and its page is closed when nobody pays`, async () => {
    await using shop = await cardShop({ open })
    Object.assign(shop.deps.siteFile.orders, { ...unlimited, firstOrderDollars: 500 })
    const account = await callerOf(shop, 'ben', 'USER')
    const [heard, unheard, unpaid] = [
      await byCard(shop, account, 17),
      await byCard(shop, account, 18),
      await byCard(shop, account, 19),
    ]
    const urls = [await shop.page(heard), await shop.page(unheard), await shop.page(unpaid)]
    await deleteAccount(shop, 'ben')
    shop.stripe.pay(urls[0] ?? '')
    const event = shop.stripe.event(AUTHORIZED, urls[0] ?? '')
    for (const reply of [await shop.send(event), await shop.send(event)])
      assert.equal(reply.statusCode, 204, reply.body)
    await shop.settle()
    assert.deepEqual((await states(shop)).sort(), ['OPEN', 'OPEN', 'RELEASED'])
    shop.stripe.pay(urls[1] ?? '')
    await purge(shop.deps.db, new Date(Date.now() + 20 * DAY_MS), orderRetention)
    await shop.wait(36)
    await shop.settle()
    await shop.settle()
    assert.deepEqual(
      [(await states(shop)).sort(), count(shop, /cancel/), await failed(shop)],
      [['LAPSED', 'RELEASED'], 2, 0],
      'what was over was forgotten before; what was not is brought to its end',
    )
    assert.equal(await shop.stockOf('snapper'), 50)
  })
}
