import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invoiceSheet } from '#server/orders/documents/order-sheets.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { cardShop, count, packed, paid } from '#server/testing/card-shop.ts'
import { moved, withoutBoxes } from '#server/testing/orders.ts'

test('one failure of the provider, which it keeps for its key, ends neither a payment nor a capture nor a refund', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  shop.stripe.away(500)
  const refused = await shop.app.inject({ method: 'POST', url: `${order.path}/payment${order.query}` })
  assert.equal(refused.statusCode, 503, refused.body)
  shop.stripe.away(null)
  const url = await paid(shop, order)
  await packed(shop, order, 2_000)
  shop.stripe.away(500)
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.state, 'AUTHORIZED')
  shop.stripe.away(null)
  await shop.wait(10)
  await shop.settle()
  assert.deepEqual(
    [(await shop.seen(order)).payment?.state, shop.stripe.held(url).received],
    ['CAPTURED', 6_000],
  )
  await moved(shop, order.id, 'CANCELLED', { reason: 'Sold out.' })
  shop.stripe.away(502)
  await shop.settle()
  shop.stripe.away(null)
  await shop.admin('POST', `${order.path}/payment/settlement`)
  assert.deepEqual(
    [(await shop.seen(order)).payment?.state, shop.stripe.held(url).refunded],
    ['REFUNDED', 6_000],
  )
})

test('a step whose answer was lost is asked for with the same key, and so is done once', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  shop.stripe.away('lost')
  const refused = await shop.app.inject({ method: 'POST', url: `${order.path}/payment${order.query}` })
  assert.equal(refused.statusCode, 503, refused.body)
  shop.stripe.away(null)
  const url = await paid(shop, order)
  assert.equal(count(shop, /sessions$/), 1, 'one page')
  await packed(shop, order, 2_000)
  shop.stripe.away('lost')
  await shop.settle()
  shop.stripe.away(null)
  await shop.wait(10)
  await shop.settle()
  assert.deepEqual(
    [(await shop.seen(order)).payment?.state, shop.stripe.held(url).received],
    ['CAPTURED', 6_000],
  )
  assert.equal(count(shop, /capture/), 1)
})

test('an order by card of which nothing was captured is not handed out unless it was paid otherwise, which is kept', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  const url = await paid(shop, order)
  shop.stripe.end(url)
  await shop.wait(8 * 24 * 60)
  await shop.settle()
  await packed(shop, order, 2_000)
  await moved(shop, order.id, 'READY')
  await shop.app.inject({ method: 'POST', url: `${order.path}/payment${order.query}` }) // to pay again
  assert.equal((await shop.seen(order)).payment?.state, 'OPEN')
  const payment = async (): Promise<unknown> =>
    invoiceSheet(await readWholeOrder(shop.deps.db, order.id), {}, withoutBoxes).sums.at(-1)
  assert.deepEqual(await payment(), ['Payment', 'By card, not paid yet; $60.00 when you get it'])
  const refused = await shop.admin('PATCH', order.path, { status: 'COMPLETED' })
  assert.deepEqual(
    [refused.statusCode, refused.json().error.code, refused.json().error.amount],
    [409, 'order.unpaid', 6_000],
  )
  const wrong = await shop.admin('PATCH', order.path, { status: 'CANCELLED', paid: 'otherwise' })
  assert.deepEqual([wrong.statusCode, wrong.json().error.fields[0].path], [400, 'paid'])
  const done = await moved(shop, order.id, 'COMPLETED', { paid: 'otherwise' })
  assert.deepEqual([done.events.at(-1)?.paid, done.payment?.otherwise], [6_000, 6_000])
  assert.deepEqual(await payment(), ['Payment', '$60.00 paid otherwise, not by card'])
  const late = await shop.app.inject({ method: 'POST', url: `${order.path}/payment${order.query}` })
  assert.equal(late.statusCode, 409, 'it can’t be paid twice')
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.state, 'LAPSED', 'nor on a page that was open')
  assert.equal((await shop.seen(order)).status, 'COMPLETED')
})

test('a card that was charged although the order was paid otherwise is given back', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  await paid(shop, order)
  await packed(shop, order, 2_000) // its capture waits in the queue
  await moved(shop, order.id, 'READY')
  assert.equal(
    (await shop.admin('PATCH', order.path, { status: 'COMPLETED' })).json().error.code,
    'order.unpaid',
  )
  await moved(shop, order.id, 'COMPLETED', { paid: 'otherwise' })
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.state, 'RELEASED')
})

test('what is paid on receipt is handed out without being asked about', async () => {
  await using shop = await cardShop()
  const { _id: id } = await shop.placed({ ice: 1 })
  await moved(shop, id, 'PACKED')
  await moved(shop, id, 'READY')
  const { events } = await moved(shop, id, 'COMPLETED', { paid: 'otherwise' })
  assert.equal(events.at(-1)?.paid, null)
})
