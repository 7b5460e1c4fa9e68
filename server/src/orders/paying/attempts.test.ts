import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardShop, count, packed, paid } from '#server/testing/card-shop.ts'
import { moved } from '#server/testing/orders.ts'

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
