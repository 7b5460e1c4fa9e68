import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MAX_CART_LINES } from '@befaqt/domain/cart'
import { eq } from 'drizzle-orm'
import { orderLines, slots } from '#server/db/schema/orders.ts'
import { products } from '#server/db/schema/shop.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { amend, amendedAs, ordered, refused, seen } from '#server/testing/amending.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'

const fillets = { kind: 'skin-off', yieldPercent: 45, feeCents: 400 }

const offer = async ({ admin }: OrderShop, more: object): Promise<void> => {
  const reply = await admin('PATCH', '/api/product/snapper', more)
  assert.equal(reply.statusCode, 200, reply.body)
}

for (const [name, open] of testDatabases) {
  test(`${name}: a product is added prepared, once, with stock, sums, history and one email, packed from its box, and taken out again`, async () => {
    const came: EmailMessage[] = []
    const mailer = { send: async (mail: EmailMessage) => void came.push(mail), close: async () => undefined }
    await using shop = await shopWithOrders({ open, deps: { mailer } })
    await snapperBox(shop)
    await offer(shop, { preparations: [fillets], discount: 10 })
    const order = await ordered(shop, { ice: 1 })
    const added = [{ product_id: 'snapper', quantity: 1.5, preparation: 'skin-off' }]
    const change = { lines: { 1: 2 }, added, expectedTotal: 1_000 + 4_590 }
    const key = randomUUID()
    const twice = await Promise.all([1, 2].map(() => amend(shop, order, change, key)))
    assert.deepEqual(
      twice.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    const now = await seen(shop, order)
    assert.deepEqual(
      now.lines.map((line) => [line.position, line.product_id, line.quantity, line.preparation, line.total]),
      [
        [1, 'ice', 2, undefined, 1_000],
        [2, 'snapper', 1.5, fillets, 4_590],
      ],
    )
    assert.deepEqual([now.agreed, now.totals.gst, now.version], [5_590, 91, 2])
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [48.5, 48])
    assert.equal(
      now.events.at(-1)?.reason,
      'Changed. Ice: 2 × bag instead of 1 bag. Snapper (fillets, skin off): 1.5 kg added.',
    )
    const log = { warn: () => undefined, error: () => undefined }
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), log, new AbortController().signal)
    const [mail, ...others] = came.filter(({ subject }) => /was changed$/.test(subject))
    assert.deepEqual(others, [])
    assert.match(
      mail?.text ?? '',
      /Snapper \(fillets, skin off\): 1\.5 kg added\.[\s\S]*about 1\.5 kg at \$34\.00\/kg/,
    )

    const again = { ...order, version: 2 }
    assert.equal((await refused(shop, again, { added })).fields[0].path, 'added[0].product_id')
    const without = await amendedAs(shop, again, { lines: { 1: 1, 2: 0 } })
    assert.deepEqual([without.lines.length, without.totals.total], [1, 500])
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [50, 49])

    const instead = await amendedAs(shop, { ...order, version: 3 }, { lines: { 1: 0 }, added })
    assert.deepEqual(
      instead.lines.map(({ position, title }) => [position, title]),
      [[2, 'Snapper']],
      'another thing than was ordered',
    )
    const boxes = [{ boxID: 'BOX-1', amount: 1_500 }]
    const packed = await shop.admin('PUT', `${order.path}/packing`, {
      lines: [{ position: 2, grams: 1_500, boxes }],
    })
    assert.equal(packed.statusCode, 200, packed.body)
    await moved(shop, order.id, 'PACKED')
    const csv = (await shop.admin('GET', '/api/order/export.csv')).body.split('\r\n')
    assert.match(csv[1] ?? '', /,skin-off,4\.00,0\.00$/)
  })

  test(`${name}: of two who add the last of it one gets it, and of one who adds it and one who orders it`, async () => {
    await using shop = await shopWithOrders({ open })
    const [ann, bob] = [await ordered(shop, { ice: 1 }), await ordered(shop, { ice: 1 })]
    const added = linesOf({ snapper: 30 })
    const both = await Promise.all([ann, bob].map((order) => amend(shop, order, { added })))
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409])
    assert.equal(await shop.stockOf('snapper'), 20)
    const late = both[0]?.statusCode === 409 ? ann : bob
    const [change, beside] = await Promise.all([
      amend(shop, late, { added: linesOf({ snapper: 20 }) }),
      shop.place({ lines: linesOf({ snapper: 20 }) }),
    ])
    assert.deepEqual([change.statusCode < 300, beside.statusCode < 300].sort(), [false, true])
    assert.equal(await shop.stockOf('snapper'), 0)
  })
}

test('what can’t be ordered can’t be added, in the words of an order, and nothing changes', async () => {
  await using shop = await shopWithOrders()
  const order = await ordered(shop, { ice: 1 })
  const add = (quantity: number, more: object = {}) =>
    refused(shop, order, { lines: { 1: 3 }, added: [{ product_id: 'snapper', quantity, ...more }] })
  assert.deepEqual((await add(51)).lines, [{ product_id: 'snapper', wanted: 51, left: 50 }])
  assert.deepEqual((await add(1.1)).lines, [{ product_id: 'snapper', wanted: 1.1, left: 1, why: 'step' }])
  const gone = await refused(shop, order, { added: linesOf({ none: 1 }) })
  assert.deepEqual(gone.lines, [{ product_id: 'none', wanted: 1, left: 0 }])
  const listed = await refused(shop, order, {
    added: [...linesOf({ snapper: 1 }), ...linesOf({ snapper: 2 })],
  })
  assert.deepEqual([listed.code, listed.fields[0].path], ['input.invalid', 'added[1]'])
  const prepared = await add(1, { preparation: 'skin-off' })
  assert.deepEqual([prepared.code, prepared.product_id], ['price.changed', 'snapper'])
  assert.match(prepared.message, /^Snapper is not sold as “Fillets, skin off” any more/)
  const inBags = await add(1, { unit: 'bag' })
  assert.deepEqual([inBags.code, inBags.lines[0].unit], ['price.changed', 'kg'])
  const dear = await refused(shop, order, { added: linesOf({ snapper: 1 }), expectedTotal: 3_400 })
  assert.deepEqual([dear.code, dear.total], ['price.changed', 3_500])

  await offer(shop, { status: 'DISABLED' })
  assert.deepEqual((await add(1)).lines, [{ product_id: 'snapper', wanted: 1, left: 0 }], 'off sale')
  await offer(shop, { status: 'ACTIVE' })
  await snapperBox(shop)
  const recall = await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Histamine' })
  assert.ok(recall.statusCode < 300, recall.body)
  assert.deepEqual((await add(1)).lines, [{ product_id: 'snapper', wanted: 1, left: 0 }], 'recalled')
  const cutOffAt = new Date(Date.now() - 1_000)
  await shop.deps.db.update(slots).set({ cutOffAt }).where(eq(slots.id, shop.pickup))
  assert.equal((await add(1)).why, 'late')
  const now = await seen(shop, order)
  assert.deepEqual(
    [now.version, now.lines.length, await shop.stockOf('snapper'), await shop.stockOf('ice')],
    [1, 1, 50, 49],
  )
})

test('nobody takes all by adding, a large first order is confirmed first, and a left out line stays out', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  const order = await ordered(shop, { ice: 1 })
  const share = await refused(shop, order, { added: linesOf({ snapper: 13 }) })
  assert.deepEqual(share.lines, [{ product_id: 'snapper', wanted: 13, left: 12, why: 'network' }])
  await offer(shop, { stock: 200 })
  const large = await refused(shop, order, { added: linesOf({ snapper: 18 }) })
  assert.deepEqual([large.code, large.why], ['order.state', 'unconfirmed'])
  await shop.admin('POST', `${order.path}/confirmation`, {})
  const now = await amendedAs(shop, order, { added: linesOf({ snapper: 18 }) })
  assert.equal(now.totals.total, 54_500)
  await shop.admin('POST', `${order.path}/left-out`, { position: 2, reason: 'None came' })
  const { version } = await seen(shop, order)
  const out = await refused(shop, { ...order, version }, { added: linesOf({ snapper: 1 }) })
  assert.match(out.fields[0].message, /left out/)
})

test('a coupon takes off what is added as off what it was used for', async () => {
  await using shop = await shopWithOrders()
  for (const [code, more] of [
    ['ALL', {}],
    ['ICE', { products: ['ice'] }],
  ] as const) {
    const made = await shop.admin('POST', '/api/coupon', { code, percent: 10, ...more })
    assert.equal(made.statusCode, 201, made.body)
    const order = await ordered(shop, { ice: 2 }, { coupon: code })
    const now = await amendedAs(shop, order, { added: linesOf({ snapper: 1 }) })
    assert.equal(now.totals.coupon, code === 'ALL' ? 400 : 100)
  }
})

test('an order has no more lines than one that is placed, and places of lines are found again', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const order = await ordered(shop, { ice: 1 })
  await db.update(orderLines).set({ position: MAX_CART_LINES }).where(eq(orderLines.orderId, order.id))
  const [line] = (await amendedAs(shop, order, { added: linesOf({ snapper: 1 }) })).lines
  assert.deepEqual([line?.position, line?.title], [1, 'Snapper'])
  const more = Array.from({ length: MAX_CART_LINES - 1 }, (_, i) => `p${i}`)
  const row = { categoryId: 'c', priceCents: 100, unit: 'each', stock: 5 }
  await db.insert(products).values(more.map((id) => ({ id, title: id, ...row })))
  const all = Object.fromEntries(more.map((id) => [id, 1]))
  const many = await refused(shop, { ...order, version: 2 }, { added: linesOf(all) })
  assert.deepEqual(
    [many.fields[0].path, many.fields[0].message],
    ['added', 'is too much: an order takes at most 500 products'],
  )
  const full = await amendedAs(shop, { ...order, version: 2 }, { lines: { 1: 0 }, added: linesOf(all) })
  assert.equal(full.lines.length, MAX_CART_LINES)
  assert.equal(new Set(full.lines.map(({ position }) => position)).size, MAX_CART_LINES)
})
