import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { attention } from '#server/ops/attention.ts'
import { invoiceSheet } from '#server/orders/documents/order-sheets.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { callerOf, owner } from '#server/testing/caller.ts'
import { AUTHORIZED, cardShop, count, packed, paid } from '#server/testing/card-shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, shopWithOrders, withoutBoxes } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases)
  test(`${name}: the estimate with the tolerance is held, what it weighs is charged, and a cancellation gives it back`, async () => {
    await using shop = await cardShop({ open })
    const order = await shop.byCard()
    assert.deepEqual([await shop.mails(), await shop.stockOf('snapper')], [[], 48])
    const [url, again] = await Promise.all([shop.page(order), shop.page(order)])
    assert.equal(url, again)
    assert.equal(await shop.page(order), url)
    assert.equal(count(shop, /sessions$/), 1)
    assert.equal(shop.stripe.held(url).amount, 6_600)
    await shop.admin('PUT', `${order.path}/packing`, { lines: [{ position: 1, grams: 2_000 }] })
    const early = await shop.admin('PATCH', order.path, { status: 'PACKED' })
    assert.deepEqual([early.statusCode, early.json().error.code], [409, 'order.unpaid'])

    shop.stripe.pay(url)
    const event = shop.stripe.event(AUTHORIZED, url)
    const replies = await Promise.all([
      shop.send(event),
      shop.send(event),
      shop.send(shop.stripe.event(AUTHORIZED, url)),
    ])
    assert.deepEqual(
      replies.map(({ statusCode }) => statusCode),
      [204, 204, 204],
    )
    await shop.send(shop.stripe.event('checkout.session.completed', url))
    await shop.settle()
    assert.deepEqual(await shop.mails(), ['order-placed'])
    assert.deepEqual((await shop.seen(order)).payment, {
      ...(await shop.seen(order)).payment,
      state: 'AUTHORIZED',
      amount: 6_600,
      captured: 0,
    })

    await packed(shop, order, 2_100)
    await shop.settle()
    const { payment } = await shop.seen(order)
    assert.deepEqual(
      [payment?.state, payment?.captured, shop.stripe.held(url).received],
      ['CAPTURED', 6_300, 6_300],
    )
    const invoice = invoiceSheet(await readWholeOrder(shop.deps.db, order.id), {}, withoutBoxes)
    assert.deepEqual(invoice.sums.at(-1), ['Payment', '$63.00 paid by card'])

    await moved(shop, order.id, 'CANCELLED', { reason: 'Sold out.' })
    await shop.settle()
    await shop.send(shop.stripe.event('charge.refunded', url))
    await shop.send(shop.stripe.event(AUTHORIZED, url)) // late: changes nothing
    await shop.settle()
    const ended = (await shop.seen(order)).payment
    assert.deepEqual(
      [ended?.state, ended?.refunded, shop.stripe.held(url).refunded],
      ['REFUNDED', 6_300, 6_300],
    )
    assert.deepEqual([count(shop, /capture/), count(shop, /refunds/)], [1, 1])
    assert.deepEqual((await shop.mails()).slice(-2), ['order-cancelled', 'order-refunded'])
  })

test('a message that is signed and says nothing is a bad request, whatever it lacks', async () => {
  await using shop = await cardShop()
  const at = Math.floor(Date.now() / 1_000)
  const secret = shop.deps.config.STRIPE_WEBHOOK_SECRET ?? ''
  const event = { id: 'evt_1', type: AUTHORIZED, data: { object: {} } }
  for (const content of [
    null,
    [],
    'event',
    {},
    { ...event, data: undefined },
    { ...event, data: { object: null } },
    { ...event, id: 'evt_\0' },
    { ...event, id: 7 },
  ]) {
    const body = JSON.stringify(content)
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
    const reply = await shop.send({ body, headers })
    assert.equal(reply.statusCode, 400, `${body}: ${reply.body}`)
  }
})

test('a message that is forged, old, or about something else changes nothing', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  const url = await shop.page(order)
  shop.stripe.pay(url)
  const event = (more = {}) => shop.stripe.event(AUTHORIZED, url, more)
  const good = event()
  const signature = good.headers['stripe-signature'] ?? ''
  const last = signature.at(-1) === '0' ? '1' : '0'
  const signed = (value: string) => ({ ...good, headers: { ...good.headers, 'stripe-signature': value } })
  for (const [what, sent, status] of [
    ['no signature', { ...good, headers: { 'content-type': 'application/json' } }, 400],
    ['off by one', signed(signature.slice(0, -1) + last), 400],
    ['another body', { ...good, body: good.body.replace('6600', '6601') }, 400],
    ['another secret', event({ secret: 'whsec_somebody' }), 400],
    ['six minutes old', event({ ageS: 360 }), 400],
    ['no JSON', { ...good, body: '{' }, 400],
    ['a time that is no number', signed(signature.replace(/t=\d+/, 't=NaN')), 400],
    ['another amount', event({ object: { amount: 6_601 } }), 409],
    ['another currency', event({ object: { currency: 'nzd' } }), 409],
    ['more than was held', event({ object: { amount_received: 6_601 } }), 409],
    ['an unknown payment', event({ metadata: { befaqt_payment: randomUUID() } }), 404],
    ['an unknown order', event({ metadata: { befaqt_order: randomUUID() } }), 409],
    ['of another program', event({ metadata: { befaqt_order: 'theirs' } }), 204],
  ] as const) {
    const { statusCode, body } = await shop.send(sent)
    assert.equal(statusCode, status, `${what}: ${body}`)
    assert.equal((await shop.seen(order)).payment?.state, 'OPEN', what)
  }
  const other = await shop.byCard({ ice: 1 })
  const theirs = event({ metadata: { befaqt_order: other.id } })
  assert.equal((await shop.send(theirs)).statusCode, 409, 'of another order')
  assert.equal((await shop.send(event({ ageS: 240 }))).statusCode, 204)
  assert.equal((await shop.seen(order)).payment?.state, 'AUTHORIZED')
})

for (const [name, open] of testDatabases)
  test(`${name}: what nobody pays in time is cancelled, with stock and slot back; what is paid at the last moment stands`, async () => {
    await using shop = await cardShop({ open })
    const [left, late, unseen] = [await shop.byCard(), await shop.byCard(), await shop.byCard({ ice: 3 })]
    const [leftUrl, lateUrl] = [await shop.page(left), await shop.page(late)]
    await shop.wait(34)
    await shop.settle()
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [46, 47])
    shop.stripe.pay(lateUrl) // its message is lost
    await shop.wait(2)
    await shop.settle()
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [48, 50])
    for (const [order, status, state] of [
      [left, 'CANCELLED', 'LAPSED'],
      [late, 'PLACED', 'AUTHORIZED'],
      [unseen, 'CANCELLED', 'LAPSED'],
    ] as const) {
      const seen = await shop.seen(order)
      assert.deepEqual([seen.status, seen.payment?.state], [status, state])
    }
    assert.match((await shop.seen(left)).events.at(-1)?.reason ?? '', /not paid in time/)
    assert.equal(shop.stripe.held(leftUrl).status, 'expired', 'nobody can pay any more')
    const again = await shop.app.inject({ method: 'POST', url: `${left.path}/payment${left.query}` })
    assert.deepEqual([again.statusCode, again.json().error.code], [409, 'order.state'])
  })

test('what was paid while the order was cancelled is released, and the buyer is told', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  const url = await shop.page(order)
  shop.stripe.pay(url)
  await moved(shop, order.id, 'CANCELLED', { reason: 'The boat did not come.' })
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.state, 'RELEASED')
  assert.equal(shop.stripe.held(url).intentStatus, 'canceled')
  assert.equal((await shop.send(shop.stripe.event(AUTHORIZED, url))).statusCode, 204)
  await shop.settle()
  assert.deepEqual([await shop.mails(), count(shop, /cancel$/)], [['order-cancelled', 'order-refunded'], 1])
})

test('while the provider is away nothing is lost, managers see it, and nothing is charged twice', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  shop.stripe.away(500)
  const refused = await shop.app.inject({ method: 'POST', url: `${order.path}/payment${order.query}` })
  assert.equal(refused.statusCode, 503, refused.body)
  assert.equal((await shop.check(order)).payment?.state, 'OPEN')
  shop.stripe.away(null)
  const url = await shop.page(order)
  shop.stripe.pay(url)
  assert.equal((await shop.check(order)).payment?.state, 'AUTHORIZED', 'asked when the buyer comes back')
  await packed(shop, order, 2_000)
  shop.stripe.away(503)
  await shop.settle()
  const managed = (await shop.admin('GET', `${order.path}/manage`)).json()
  assert.match(managed.paymentProblem, /^Stripe: /)
  assert.deepEqual(
    (await attention(shop.deps, owner)).filter(({ kind }) => kind === 'card-payment').map(({ href }) => href),
    [`/manage/order/${order.id}`],
  )
  assert.equal((await shop.admin('POST', `${order.path}/payment/settlement`)).statusCode, 503)
  shop.stripe.away(null)
  // A process that was killed after the call, before it wrote down what came of it:
  const reference = shop.stripe.held(url).intent ?? ''
  const id = shop.stripe.held(url).fields['metadata[befaqt_payment]']
  await shop.deps.payments?.capture(reference, 6_000, `befaqt ${id} capture 6000`)
  const [mended] = await Promise.all([
    shop.admin('POST', `${order.path}/payment/settlement`),
    shop.admin('POST', `${order.path}/payment/settlement`),
  ])
  assert.equal(mended.json().payment.state, 'CAPTURED', mended.body)
  const after = (await shop.admin('GET', `${order.path}/manage`)).json()
  assert.deepEqual(
    [after.paymentProblem, after.paymentReference, count(shop, /capture/)],
    [null, reference, 1],
  )
  assert.equal((await attention(shop.deps, owner)).filter(({ kind }) => kind === 'card-payment').length, 0)
})

test('above what is held, the rest is paid on receipt; a capture above it is refused', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  const url = await paid(shop, order)
  const reference = shop.stripe.held(url).intent ?? ''
  await assert.rejects(async () => shop.deps.payments?.capture(reference, 6_601, 'more'), /amount_too_large/)
  await shop.admin('PUT', `${order.path}/packing`, { lines: [{ position: 1, grams: 2_300 }] })
  const url2 = `${order.path}/acceptance${order.query}`
  assert.equal(
    (await shop.app.inject({ method: 'POST', url: url2, payload: { total: 6_900 } })).statusCode,
    200,
  )
  await packed(shop, order, 2_300)
  await shop.settle()
  const { payment } = await shop.seen(order)
  assert.deepEqual([payment?.state, payment?.captured], ['CAPTURED', 6_600])
  const invoice = invoiceSheet(await readWholeOrder(shop.deps.db, order.id), {}, withoutBoxes)
  assert.deepEqual(invoice.sums.at(-1), ['Payment', '$66.00 paid by card; $3.00 when you get it'])
})

test('a hold that ends is said, before and after, and the buyer may pay by card again', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  const url = await paid(shop, order)
  await shop.wait(6 * 24 * 60 + 60)
  await shop.settle()
  const managed = (await shop.admin('GET', `${order.path}/manage`)).json()
  assert.match(managed.paymentProblem, /ends soon/)
  shop.stripe.end(url)
  await shop.wait(26 * 60)
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.state, 'EXPIRED', 'its message was lost')
  assert.deepEqual((await shop.mails()).at(-1), 'order-unpaid')
  await packed(shop, order, 2_000)
})

test('cards are taken where they are set up, for times and totals that allow it, and settled by the shop alone', async () => {
  await using off = await shopWithOrders()
  const lines = linesOf({ snapper: 1 })
  const refused = await off.place({ lines, payment: 'card' })
  assert.deepEqual([refused.statusCode, refused.json().error.fields[0].path], [400, 'payment'])
  const event = { method: 'POST', url: '/api/payment/event', payload: {} } as const
  assert.deepEqual([(await off.app.inject(event)).statusCode, await off.stockOf('snapper')], [404, 50])
  await using shop = await cardShop()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const slot = await shop.newSlot({ startsAt: inDays(6), endsAt: inDays(6.1), cutOffAt: inDays(5) })
  const far = await shop.place({ lines, payment: 'card', fulfilment: { kind: 'pickup', slot } })
  assert.deepEqual([far.statusCode, far.json().error.fields?.[0].path], [400, 'payment'])
  const order = await shop.byCard()
  const bob = await callerOf(shop, 'bob', 'USER')
  for (const action of ['payment', 'payment/check'])
    assert.equal((await bob('POST', `${order.path}/${action}`)).statusCode, 404, action)
  assert.equal((await bob('POST', `${order.path}/payment/settlement`)).statusCode, 403)
  const later = await shop.place({ lines })
  const path = `/api/order/${later.json()._id}/payment${new URL(later.json().link).search}`
  assert.equal((await shop.app.inject({ method: 'POST', url: path })).statusCode, 409, 'paid on receipt')
})

test('a payment that is settled too early, by a database whose clock is ahead, is settled again in time', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard()
  await shop.page(order)
  await rows(shop.deps.db, sql`update jobs set run_at = run_at - interval '36 minutes'`)
  await shop.settle()
  assert.deepEqual([(await shop.seen(order)).payment?.state, await shop.stockOf('snapper')], ['OPEN', 48])
  await shop.wait(36)
  await shop.settle()
  assert.deepEqual([(await shop.seen(order)).payment?.state, await shop.stockOf('snapper')], ['LAPSED', 50])
})
