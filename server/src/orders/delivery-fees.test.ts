import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { orders } from '#server/db/schema/orders.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { amend, amendedAs, ordered, refused, seen } from '#server/testing/amending.ts'
import { callerOf } from '#server/testing/caller.ts'
import { cardShop, paid } from '#server/testing/card-shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  address,
  linesOf,
  moved,
  type OrderShop,
  shopWithOrders,
  withoutBoxes,
} from '#server/testing/orders.ts'
import { invoiceSheet } from './documents/order-sheets.ts'
import { readWholeOrder } from './read-orders.ts'

const inner = { area: 'Inner west', postcodes: ['2006-2010'], fee: 880, minimum: 2_000, freeFrom: 10_000 }

async function priced(shop: OrderShop, areas: readonly object[] = [inner]): Promise<void> {
  const saved = await shop.admin('PUT', '/api/manage/site', { part: 'delivery', areas })
  assert.equal(saved.statusCode, 200, saved.body)
}

const brought = (shop: OrderShop, postcode = '2009') => ({
  fulfilment: { kind: 'delivery', slot: shop.delivery, address: { ...address, postcode } },
})
const goods = (quantities: Record<string, number>, more: object) => ({ lines: linesOf(quantities), ...more })

for (const [name, open] of testDatabases) {
  test(`${name}: the fee of an area is in the total, GST, documents, emails, exports and copies of an order, and stays`, async () => {
    const came: EmailMessage[] = []
    const mailer = { send: async (mail: EmailMessage) => void came.push(mail), close: async () => undefined }
    await using shop = await shopWithOrders({ open, deps: { mailer } })
    const before = (await shop.place(goods({ snapper: 2 }, brought(shop)))).json()
    assert.deepEqual([before.totals.delivery, before.totals.total, before.totals.gst], [0, 6_000, 0])
    await priced(shop)
    const to = async (postcode: string) => (await shop.app.inject(`/api/delivery/${postcode}`)).json()
    const { postcodes: _, ...terms } = inner
    const there = await to('2009')
    assert.deepEqual([there.area, there.next._id], [terms, shop.delivery])
    assert.deepEqual(await to('2000'), { next: there.next, area: null })
    assert.deepEqual([(await to('3000')).next, (await to('2O09')).area], [null, null])
    assert.equal((await shop.app.inject('/api/site')).json().deliveryFees, true)

    const stale = await shop.place(goods({ snapper: 2 }, { ...brought(shop), expectedTotal: 6_000 }))
    const { code, total, delivery } = stale.json().error
    assert.deepEqual([stale.statusCode, code, total, delivery], [409, 'price.changed', 6_880, 880])
    const ann = await callerOf(shop, 'ann', 'USER')
    const asked = goods({ snapper: 2 }, { ...brought(shop), expectedTotal: 6_880 })
    const contact = { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' }
    const reply = await ann('POST', '/api/order', { ...asked, contact }, { 'idempotency-key': 'fee-1' })
    assert.equal(reply.statusCode, 201, reply.body)
    const { _id: id, totals } = reply.json()
    assert.deepEqual(
      [totals.subtotal, totals.delivery, totals.total, totals.gst, totals.taxable, totals.free],
      [6_000, 880, 6_880, 80, 880, 6_000],
    )
    const free = (await shop.place(goods({ snapper: 4 }, brought(shop)))).json()
    assert.deepEqual([free.totals.delivery, free.totals.total], [0, 12_000])
    const elsewhere = (await shop.place(goods({ ice: 1 }, brought(shop, '2000')))).json()
    assert.deepEqual([elsewhere.totals.delivery, elsewhere.totals.total], [0, 500], 'in no area')
    assert.equal((await shop.placed({ ice: 1 })).totals.total, 500, 'picked up')

    await priced(shop, [{ ...inner, fee: 2_000, freeFrom: null }])
    await shop.admin('PUT', `/api/order/${id}/packing`, { lines: [{ position: 1, grams: 1_900 }] })
    const packed = await moved(shop, id, 'PACKED')
    assert.deepEqual(
      [packed.totals.delivery, packed.totals.total, packed.totals.gst],
      [880, 6_580, 80],
      'what it was placed with',
    )
    assert.deepEqual(packed.delivery, terms)
    const log = { warn: () => undefined, error: () => undefined }
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), log, new AbortController().signal)
    const mails = came.filter(({ text }) => text.includes(reply.json().number)).map(({ text }) => text)
    assert.ok(mails.length > 0 && mails.every((text) => /Delivery fee:?\s+\$8\.80/.test(text)), mails[0])
    const whole = await shop.deps.db.transaction((tx) => readWholeOrder(tx, id))
    const sheet = invoiceSheet(whole, {}, withoutBoxes)
    assert.ok(
      sheet.rows.some((row) => row[0] === 'Delivery' && row[3] === 'incl. $0.80' && row[4] === '$8.80'),
    )
    assert.deepEqual(
      sheet.sums.filter(([what]) => what !== 'Payment'),
      [
        ['Taxable, with GST', '$8.80'],
        ['GST-free', '$57.00'],
        ['GST', '$0.80'],
        ['Total', '$65.80'],
      ],
    )
    const csv = (await shop.admin('GET', '/api/order/export.csv')).body
    assert.match(csv, new RegExp(`${packed.number}.*,65\\.80,.*,8\\.80\\r\\n`))
    const copy = (await ann('GET', '/api/user/data')).body
    assert.match(copy, /"delivery":\s*880/)
    const cancelled = await moved(shop, id, 'CANCELLED', { reason: 'no van' })
    assert.equal(cancelled.totals.total, 6_580, 'what its adjustment note gives back')
  })

  test(`${name}: a minimum refuses an order at its postcode, and what its buyer makes less; never what the shop packs`, async () => {
    await using shop = await shopWithOrders({ open })
    await priced(shop)
    const little = await shop.place(goods({ ice: 3 }, brought(shop)))
    const { fields, message } = little.json().error
    assert.deepEqual([little.statusCode, fields[0].path], [400, 'fulfilment.address.postcode'])
    assert.equal(message, 'Orders to 2009 (Inner west) are from $20.00 of goods: $5.00 more is needed.')
    assert.equal(await shop.stockOf('ice'), 50)

    const order = await ordered(shop, { snapper: 3, ice: 1 }, brought(shop))
    assert.equal((await seen(shop, order)).totals.total, 10_380)
    const less = await refused(shop, order, { lines: { 1: 0 } })
    assert.deepEqual([less.code, less.fields[0].path], ['input.invalid', 'lines'])
    const more = await amendedAs(shop, order, { lines: { 1: 4 }, expectedTotal: 12_500 })
    assert.deepEqual([more.totals.delivery, more.totals.total], [0, 12_500], 'free from $100.00 on')
    await priced(shop, [{ ...inner, fee: 2_000, freeFrom: null, minimum: 50_000 }])
    const again = await amendedAs(shop, { ...order, version: 2 }, { lines: { 1: 2 } })
    assert.deepEqual([again.totals.delivery, again.totals.total], [880, 7_380], 'the fee of its own day')
    assert.match(again.events.at(-1)?.reason ?? '', /Delivery costs \$8\.80 instead of \$0\.00\./)
    const note = await amendedAs(shop, { ...order, version: 3 }, { note: 'Ring twice' })
    assert.equal(note.totals.delivery, 880)
    const left = await shop.admin('POST', `${order.path}/left-out`, { position: 1, reason: 'gone' })
    assert.equal(left.statusCode, 200, left.body)
    assert.deepEqual([left.json().totals.delivery, left.json().totals.total], [880, 1_380])
  })

  test(`${name}: pick-up, delivery and another postcode cost what they cost today, and an order that waits keeps its fee`, async () => {
    await using shop = await shopWithOrders({ open })
    await priced(shop)
    const order = await ordered(shop, { snapper: 2 })
    const little = await ordered(shop, { ice: 1 })
    const by = { kind: 'delivery', slot: shop.delivery, address }
    const tooLittle = await refused(shop, little, by)
    assert.deepEqual([tooLittle.code, tooLittle.fields[0].path], ['input.invalid', 'address.postcode'])
    assert.equal((await amend(shop, order, { ...by, expectedTotal: 6_000 })).statusCode, 409)
    const there = await amendedAs(shop, order, { ...by, expectedTotal: 6_880 })
    assert.deepEqual([there.totals.delivery, there.agreed], [880, 6_880])
    const moved = await amendedAs(
      shop,
      { ...order, version: 2 },
      { address: { ...address, postcode: '2000' } },
    )
    assert.deepEqual([moved.totals.delivery, moved.delivery], [0, undefined])
    await priced(shop, [{ ...inner, fee: 500 }])
    const back = await amendedAs(shop, { ...order, version: 3 }, { address })
    assert.equal(back.totals.delivery, 500, 'today’s')
    const fetched = await amendedAs(shop, { ...order, version: 4 }, { kind: 'pickup', slot: shop.pickup })
    assert.deepEqual([fetched.totals.delivery, fetched.totals.total, fetched.delivery], [0, 6_000, undefined])
    const [row] = await shop.deps.db.select().from(orders).where(eq(orders.id, order.id))
    assert.deepEqual([row?.deliveryCents, row?.delivery], [0, null])

    Object.assign(shop.deps.siteFile.orders, { firstOrderDollars: 50 })
    const large = (await shop.place(goods({ snapper: 3 }, { ...brought(shop), contact: other }))).json()
    assert.deepEqual([large.status, large.totals.delivery, large.totals.total], ['WAITING', 500, 9_500])
    await priced(shop, [])
    const fewer = { lines: linesOf({ snapper: 2 }) }
    const confirmed = await shop.admin('POST', `/api/order/${large._id}/confirmation`, fewer)
    assert.equal(confirmed.statusCode, 200, confirmed.body)
    assert.deepEqual([confirmed.json().totals.delivery, confirmed.json().totals.total], [500, 6_500])
  })
}

const other = { fname: 'Bo', lname: 'Ng', email: 'bo@example.org', phone: '0400 000 001' }

test('a card holds and is charged the fee, and gets it back with a cancellation', async () => {
  await using shop = await cardShop()
  await priced(shop)
  const order = await shop.byCard({ snapper: 2 }, brought(shop))
  const url = await paid(shop, order)
  const { payment } = await shop.seen(order)
  assert.equal(payment?.amount, 7_568, 'with the tolerance')
  await shop.admin('PUT', `${order.path}/packing`, { lines: [{ position: 1, grams: 2_000 }] })
  await moved(shop, order.id, 'PACKED')
  await shop.settle()
  assert.equal(shop.stripe.held(url).received, 6_880)
  await moved(shop, order.id, 'CANCELLED', { reason: 'no van' })
  await shop.settle()
  assert.equal((await shop.seen(order)).payment?.refunded, 6_880)
})

test('areas are bounded, no postcode is in two of them, and each wrong field is named', async () => {
  await using shop = await shopWithOrders()
  const refusedAt = async (areas: unknown) => {
    const reply = await shop.admin('PUT', '/api/manage/site', { part: 'delivery', areas })
    assert.equal(reply.statusCode, 400, reply.body)
    return reply.json().error.fields.map(({ path }: { path: string }) => path)
  }
  const outer = { ...inner, area: 'Outer', postcodes: ['2100', '2010'] }
  assert.deepEqual(await refusedAt([inner, outer]), ['areas[0].postcodes[0]', 'areas[1].postcodes[1]'])
  assert.deepEqual(await refusedAt([{ ...inner, postcodes: ['200a', '2010-2006', '20099', ''] }]), [
    'areas[0].postcodes[0]',
    'areas[0].postcodes[1]',
    'areas[0].postcodes[2]',
    'areas[0].postcodes[3]',
  ])
  assert.deepEqual(await refusedAt([{ ...inner, fee: -1, minimum: 0.5, freeFrom: 0 }]), [
    'areas[0].fee',
    'areas[0].minimum',
    'areas[0].freeFrom',
  ])
  assert.deepEqual(await refusedAt([{ ...inner, fee: 0 }]), ['areas[0].freeFrom'])
  assert.deepEqual(await refusedAt([{ ...inner, postcodes: [] }]), ['areas[0].postcodes'])
  assert.deepEqual(await refusedAt([inner, { ...inner, area: 'INNER WEST', postcodes: ['2100'] }]), [
    'areas[1].area',
  ])
  const each = (length: number, from: number) => Array.from({ length }, (_, i) => `${from + i}`)
  const many = [0, 1].map((i) => ({ ...inner, area: `${i}`, postcodes: each(300, 1_000 + i * 1_000) }))
  assert.deepEqual(await refusedAt(many), ['areas'])
  const areas = Array.from({ length: 51 }, (_, i) => ({
    ...inner,
    area: `${i}`,
    postcodes: [`${3_000 + i}`],
  }))
  assert.deepEqual(await refusedAt(areas), ['areas'])

  await priced(shop, [{ ...inner, fee: 0, freeFrom: null, minimum: 0 }])
  assert.equal((await shop.place(goods({ ice: 1 }, brought(shop)))).json().totals.total, 500)
  const { deliveryFees } = (await shop.app.inject('/api/site')).json()
  assert.equal(deliveryFees, undefined)
  const page = async () => (await shop.app.inject('/api/content/about/delivery')).json().html
  assert.match(await page(), /<p>Delivery is free of charge\. What is sold by weight/)
  await priced(shop)
  assert.match(
    await page(),
    /<li><strong>Inner west<\/strong> \(2009\): \$8\.80, free from \$100\.00 of goods; orders from \$20\.00 of goods<\/li><li>2000: free of charge<\/li>/,
  )
  const undone = await shop.admin('POST', '/api/manage/site/delivery/restoration', { to: 0 })
  assert.equal(undone.statusCode, 200, undone.body)
  assert.match(await page(), /To these postcodes: 2000, 2009\./)
})
