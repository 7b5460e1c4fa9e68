import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OrderView } from '@befaqt/domain/api/order-api'
import type { Preparation } from '@befaqt/domain/preparation'
import { eq } from 'drizzle-orm'
import { orderLines } from '#server/db/schema/orders.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import {
  amendedAs,
  ordered as orderedToChange,
  refused,
  seen as seenByLink,
} from '#server/testing/amending.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders, snapperBox, withoutBoxes } from '#server/testing/orders.ts'
import { invoiceSheet } from './documents/order-sheets.ts'
import { readWholeOrder } from './read-orders.ts'

const gutted: Preparation = { kind: 'gutted', yieldPercent: 85, feeCents: 200 }
const fillets: Preparation = { kind: 'skin-off', yieldPercent: 45, feeCents: 400 }

const offer = async ({ admin }: OrderShop, preparations: unknown, more: object = {}): Promise<void> => {
  const reply = await admin('PATCH', '/api/product/snapper', { preparations, ...more })
  assert.equal(reply.statusCode, 200, reply.body)
}

const asFillets = (quantity: number, preparation = 'skin-off') => [
  { product_id: 'snapper', quantity, preparation },
]

async function ordered(shop: OrderShop, more: object) {
  const reply = await shop.place(more)
  assert.equal(reply.statusCode, 201, reply.body)
  const order = reply.json()
  return { ...order, query: new URL(order.link).search }
}

const seen = async ({ admin }: OrderShop, id: string): Promise<OrderView> =>
  (await admin('GET', `/api/order/${id}/manage`)).json()

for (const [name, open] of testDatabases) {
  test(`${name}: fillets are ordered at their price, weighed whole, and stand in the order, its documents and files`, async () => {
    const came: EmailMessage[] = []
    const mailer = { send: async (mail: EmailMessage) => void came.push(mail), close: async () => undefined }
    await using shop = await shopWithOrders({ open, deps: { mailer } })
    await snapperBox(shop)
    await offer(shop, [fillets, gutted])
    const shown = (await shop.app.inject('/api/product/snapper')).json()
    assert.deepEqual(shown.preparations, [gutted, fillets])
    const lines = [...asFillets(2), { product_id: 'ice', quantity: 1 }]
    const order = await ordered(shop, { lines, expectedTotal: 2 * 3_400 + 500 })
    const [line, ice] = order.lines
    assert.deepEqual([line.preparation, line.price, line.total], [fillets, 3_400, 6_800])
    assert.equal('preparation' in ice, false, 'what is whole says nothing')
    await runDueJobs(
      shop.deps.db,
      interactiveJobs(shop.deps),
      { warn: () => undefined, error: () => undefined },
      new AbortController().signal,
    )
    assert.match(came.at(-1)?.text ?? '', /Snapper \(fillets, skin off\)[\s\S]*about 2 kg at \$34\.00\/kg/)
    const packed = { position: 1, grams: 2_050, boxes: [{ boxID: 'BOX-1', amount: 2_050 }] }
    const weighed = await shop.admin('PUT', `/api/order/${order._id}/packing`, {
      lines: [packed, { position: 2, boxes: [] }],
    })
    assert.equal(weighed.json().lines[0].total, 6_970, 'the fee follows the weight of the whole fish')
    const ready = await moved(shop, order._id, 'PACKED')
    assert.equal(ready.totals.total, 7_470)
    const [left] = (await shop.admin('GET', '/api/box/BOX-1/balance')).json()
    assert.equal(left.sold, 2_050, 'what left the box is the whole fish')
    const sheet = invoiceSheet(await readWholeOrder(shop.deps.db, order._id), {}, withoutBoxes)
    assert.match(
      sheet.rows[0]?.[0] ?? '',
      /^Snapper\nFillets, skin off, about 450 g of each kilogram; \$4\.00\/kg of its price$/m,
    )
    assert.deepEqual(sheet.rows[0]?.slice(1), [
      '2050 g net, weighed whole',
      '$34.00/kg',
      'GST-free',
      '$69.70',
    ])
    const csv = (await shop.admin('GET', '/api/order/export.csv')).body.split('\r\n')
    assert.match(csv[0] ?? '', /,preparation,preparation price,delivery fee$/)
    assert.match(csv[1] ?? '', /,skin-off,4\.00,0\.00$/)
    assert.match(csv[2] ?? '', /,,,0\.00$/)
  })

  test(`${name}: what is not offered any more, or costs more, is refused with the prices as they are, and nothing is taken`, async () => {
    await using shop = await shopWithOrders({ open })
    const lines = asFillets(1)
    const price = { product_id: 'snapper', price: 3_000, discount: 0, unit: 'kg' }
    const gone = { ...price, was: 'skin-off' }
    const refusedAs = async (order: object, message: RegExp, details: object) => {
      const reply = await shop.place(order)
      const { code, message: said, ...rest } = reply.json().error
      assert.deepEqual([reply.statusCode, code], [409, 'price.changed'], reply.body)
      assert.match(said, message)
      assert.deepEqual({ total: rest.total, lines: rest.lines }, details)
    }
    await refusedAs({ lines }, /not prepared as you chose/, { total: 3_000, lines: [gone] })
    await offer(shop, [fillets])
    const key = { 'idempotency-key': randomUUID() }
    const hold = randomUUID()
    const held = await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: { lines, hold } })
    assert.equal(held.statusCode, 201, held.body)
    await offer(shop, [{ ...fillets, feeCents: 450 }])
    await refusedAs({ lines, hold, expectedTotal: 3_400 }, /total has changed/, {
      total: 3_450,
      lines: [{ ...price, price: 3_450, preparation: 'skin-off' }],
    })
    await offer(shop, [gutted])
    await refusedAs({ lines, hold, expectedTotal: 3_400 }, /not prepared/, { total: 3_000, lines: [gone] })
    assert.equal(await shop.stockOf('snapper'), 50)
    await offer(shop, [fillets])
    assert.equal((await shop.place({ lines, hold, expectedTotal: 3_400 }, key)).statusCode, 201)
    assert.equal(await shop.stockOf('snapper'), 49)
  })
}

for (const [name, open] of testDatabases)
  test(`${name}: the preparation of a placed order is changed and back: price, weight, GST and coupon follow, the stock stays`, async () => {
    await using shop = await shopWithOrders({ open })
    await offer(shop, [gutted, fillets], { discount: 10 })
    const coupon = { code: 'FISH20', percent: 20, minimum: 6_500 }
    assert.equal((await shop.admin('POST', '/api/coupon', coupon)).statusCode, 201)
    const order = await orderedToChange(shop, { snapper: 2, ice: 3 }, { coupon: 'FISH20' })
    const changed = async (version: number, preparation: string, quantity: number, expectedTotal: number) => {
      const lines = { 1: { quantity, preparation } }
      const now = await amendedAs(shop, { ...order, version }, { lines, expectedTotal })
      const [line] = now.lines
      return [line?.preparation, line?.price, line?.coupon, line?.total, now.totals.coupon]
    }
    const start = await seenByLink(shop, order)
    assert.deepEqual([start.totals.total, start.totals.coupon], [5_520, 1_380])
    // 2 kg at $30 + $4, less 10 %, with ice $76.20: the coupon takes its fifth off again.
    assert.deepEqual(await changed(1, 'skin-off', 2, 6_096), [fillets, 3_400, 1_224, 4_896, 1_524])
    assert.equal(await shop.stockOf('snapper'), 48)
    assert.match(
      (await seenByLink(shop, order)).events.at(-1)?.reason ?? '',
      /^Changed\. Snapper: fillets, skin off, instead of whole\.$/,
    )
    await offer(shop, [{ ...gutted, feeCents: 300 }], { price: 40 })
    const ended = await refused(
      shop,
      { ...order, version: 2 },
      { lines: { 1: { quantity: 2, preparation: 'skin-on' } } },
    )
    assert.deepEqual([ended.status, ended.code, ended.product_id], [409, 'price.changed', 'snapper'])
    assert.match(ended.message, /^Snapper is not sold as “Fillets, skin on” any more/)
    // The fish at the agreed price with today's fee, for more of it, too: today's is dearer.
    const [prepared, price] = await changed(2, 'gutted', 3, Math.round(3 * 3_300 * 0.9 * 0.8) + 1_200)
    assert.deepEqual([prepared, price], [{ ...gutted, feeCents: 300 }, 3_300])
    assert.equal(await shop.stockOf('snapper'), 47)
    assert.deepEqual(
      await changed(3, 'whole', 2, 5_520),
      [undefined, 3_000, 1_080, 4_320, 1_380],
      'as it was',
    )
    assert.deepEqual(await changed(4, 'whole', 1, 4_200), [undefined, 3_000, undefined, 2_700, undefined])
    const weighed = await shop.admin('PUT', `${order.path}/packing`, {
      lines: [{ position: 1, grams: 1_000 }],
    })
    assert.equal(weighed.json().lines[0].total, 2_700)
    const late = await refused(
      shop,
      { ...order, version: 6 },
      { lines: { 1: { quantity: 2, preparation: 'gutted' } } },
    )
    assert.deepEqual([late.code, late.why], ['order.state', 'packing'])
    const odd = await orderedToChange(shop, { snapper: 1.25 })
    await offer(shop, [gutted], { step: 1 })
    const same = { lines: { 1: { quantity: 1.25, preparation: 'gutted' } } }
    assert.equal(
      (await amendedAs(shop, odd, same)).lines[0]?.quantity,
      1.25,
      'of a step that it is not sold in now',
    )
  })

test('an order stays as it was agreed when a preparation ends, and gets more of it at no higher price', async () => {
  await using shop = await shopWithOrders()
  await offer(shop, [fillets])
  const order = await ordered(shop, { lines: asFillets(1) })
  const amend = async (version: number, quantity: number, expectedTotal: number) => {
    const reply = await shop.app.inject({
      method: 'POST',
      url: `/api/order/${order._id}/amendment${order.query}`,
      headers: { 'idempotency-key': randomUUID() },
      payload: { version, lines: [{ position: 1, quantity }], expectedTotal },
    })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json().lines[0]
  }
  await offer(shop, [])
  const more = await amend(1, 2, 6_800)
  assert.deepEqual([more.preparation, more.price], [fillets, 3_400])
  await offer(shop, [{ ...fillets, feeCents: 300, yieldPercent: 47 }])
  const cheaper = await amend(2, 3, 9_900)
  assert.deepEqual([cheaper.preparation.feeCents, cheaper.price], [300, 3_300])
  await offer(shop, [{ ...fillets, feeCents: 900 }])
  const kept = await amend(3, 4, 13_200)
  assert.deepEqual([kept.preparation.feeCents, kept.price], [300, 3_300])
})

test('a large first order that waits is taken as it was prepared; one of before says nothing', async () => {
  await using shop = await shopWithOrders({}, { limited: false })
  Object.assign(shop.deps.siteFile.orders, { firstOrderKg: 10, firstOrderDollars: 1_000 })
  await offer(shop, [fillets])
  const waits = await ordered(shop, { lines: asFillets(12) })
  const old = await ordered(shop, {
    lines: asFillets(13),
    contact: { ...waits.contact, fname: 'B', lname: 'C', email: 'b@example.org', phone: '0400 000 000' },
  })
  assert.deepEqual(waits.lines[0].preparation, fillets)
  const { db } = shop.deps
  const [row] = await db.select().from(waitingOrders).where(eq(waitingOrders.id, old._id))
  const before = row?.lines.map(({ preparation: _, ...line }) => line) ?? []
  await db.update(waitingOrders).set({ lines: before }).where(eq(waitingOrders.id, old._id))
  await offer(shop, [])
  for (const [{ _id }, prepared] of [
    [waits, fillets],
    [old, undefined],
  ] as const) {
    const taken = await shop.admin('POST', `/api/order/${_id}/confirmation`, {})
    assert.equal(taken.statusCode, 200, taken.body)
    const [line] = (await seen(shop, _id)).lines
    assert.deepEqual([line?.preparation, line?.price], [prepared, 3_400])
  }
  const stored = await db.select({ preparation: orderLines.preparation }).from(orderLines)
  assert.equal(stored.filter(({ preparation }) => preparation === null).length, 1)
})

test('a product takes only what can be done to it, named by its path; a change can be undone', async () => {
  await using shop = await shopWithOrders()
  const refused = async (body: object) => {
    const reply = await shop.admin('PATCH', '/api/product/snapper', body)
    assert.equal(reply.statusCode, 400, reply.body)
    return reply.json().error.fields.map(({ path }: { path: string }) => path)
  }
  const wrong = [fillets, { ...gutted, yieldPercent: 0, feeCents: 1.5 }]
  assert.deepEqual(await refused({ preparations: wrong }), [
    'preparations[1].yieldPercent',
    'preparations[1].feeCents',
  ])
  assert.deepEqual(await refused({ preparations: [{ ...gutted, kind: 'minced' }] }), ['preparations[0].kind'])
  assert.deepEqual(await refused({ preparations: [gutted, gutted] }), ['preparations'])
  assert.deepEqual(await refused({ preparations: [gutted], unit: 'dozen' }), ['preparations'])
  await offer(shop, 'gutted 85% 2.00, skin-off 45% 4')
  assert.deepEqual(await refused({ unit: 'dozen' }), ['preparations'])
  const lines = asFillets(1, 'minced')
  const reply = await shop.place({ lines })
  assert.deepEqual([reply.statusCode, reply.json().error.fields[0].path], [400, 'lines[0].preparation'])
  const cheaper = await shop.admin('POST', '/api/product/bulk', { ids: ['snapper'], set: { priceValue: 20 } })
  assert.equal(cheaper.statusCode, 200, cheaper.body)
  const { preparations } = (await shop.admin('GET', '/api/product/snapper/manage')).json()
  assert.deepEqual(preparations, [gutted, fillets])
  await offer(shop, [])
  await offer(shop, preparations)
  assert.deepEqual((await shop.app.inject('/api/product/snapper')).json().preparations, [gutted, fillets])
})
