import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { asc } from 'drizzle-orm'
import { holdLines } from '#server/db/schema/orders.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { follow } from '#server/reports/projection.ts'
import { sales } from '#server/reports/sales-projection.ts'
import { type amend, amendedAs, type Order, ordered, refused, seen } from '#server/testing/amending.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders, snapperBox, withoutBoxes } from '#server/testing/orders.ts'
import { differences, report } from '#server/testing/reports.ts'
import { invoiceSheet } from './documents/order-sheets.ts'
import { readWholeOrder } from './read-orders.ts'

const fillets = { kind: 'skin-off', yieldPercent: 45, feeCents: 400 }
const gutted = { kind: 'gutted', yieldPercent: 85, feeCents: 200 }

const whole = (quantity: number) => ({ product_id: 'snapper', quantity })
const prepared = (quantity: number, preparation = 'skin-off') => ({ ...whole(quantity), preparation })

async function shopOfSnapper(options: Parameters<typeof shopWithOrders>[0] = {}, more: object = {}) {
  const shop = await shopWithOrders(options)
  const offered = await shop.admin('PATCH', '/api/product/snapper', {
    preparations: [gutted, fillets],
    ...more,
  })
  assert.equal(offered.statusCode, 200, offered.body)
  return shop
}

/** An order of these lines, whose page somebody with its link has open. */
const placed = (shop: OrderShop, lines: readonly object[], more: object = {}): Promise<Order> =>
  ordered(shop, {}, { lines, ...more })

const linesOf = ({ lines }: OrderView) =>
  lines.map(({ product_id, quantity, preparation, total }) => [
    product_id,
    quantity,
    preparation?.kind,
    total,
  ])

/** The lines of a refusal, whose code and status must be these. */
async function shortOf(reply: { statusCode: number; body: string }, code = 'stock.insufficient') {
  const { error } = JSON.parse(reply.body)
  assert.deepEqual([reply.statusCode, error.code], [409, code], reply.body)
  return error.lines
}

const hold = (shop: OrderShop, lines: readonly object[]) =>
  shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: { lines, hold: randomUUID() } })

for (const [name, open] of testDatabases) {
  test(`${name}: a product is ordered whole and as fillets: stock, coupon, email, packing, documents and reports have both`, async () => {
    const came: EmailMessage[] = []
    const mailer = { send: async (mail: EmailMessage) => void came.push(mail), close: async () => undefined }
    await using shop = await shopOfSnapper({ open, deps: { mailer } })
    await snapperBox(shop)
    const coupon = { code: 'SNAP10', percent: 10, products: ['snapper'] }
    assert.equal((await shop.admin('POST', '/api/coupon', coupon)).statusCode, 201)
    const lines = [whole(1), prepared(1), { product_id: 'ice', quantity: 1 }]
    const held = await hold(shop, lines)
    assert.equal(held.statusCode, 201, held.body)
    const stored = await shop.deps.db.select().from(holdLines).orderBy(asc(holdLines.productId))
    assert.deepEqual(
      stored.map(({ productId, quantity }) => [productId, quantity]),
      [
        ['ice', 1],
        ['snapper', 2],
      ],
    )
    const total = 2_700 + 3_060 + 500
    const order = await placed(shop, lines, {
      hold: held.json()._id,
      expectedTotal: total,
      coupon: 'SNAP10',
    })
    assert.deepEqual(linesOf(await seen(shop, order)), [
      ['snapper', 1, undefined, 2_700],
      ['snapper', 1, 'skin-off', 3_060],
      ['ice', 1, undefined, 500],
    ])
    assert.deepEqual((await seen(shop, order)).coupon?.products, ['snapper'])
    assert.equal(await shop.stockOf('snapper'), 48)
    const log = { warn: () => undefined, error: () => undefined }
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), log, new AbortController().signal)
    assert.match(
      came.at(-1)?.text ?? '',
      /Snapper: about 1 kg[\s\S]*Snapper \(fillets, skin off\): about 1 kg/,
    )

    const from = { grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }
    const packing = [{ position: 1, ...from }, { position: 2, ...from }, { position: 3 }]
    const weighed = await shop.admin('PUT', `${order.path}/packing`, { lines: packing })
    assert.equal(weighed.statusCode, 200, weighed.body)
    await moved(shop, order.id, 'PACKED')
    const [balance] = (await shop.admin('GET', '/api/box/BOX-1/balance')).json()
    assert.equal(balance.sold, 2_000)
    const invoice = invoiceSheet(await readWholeOrder(shop.deps.db, order.id), {}, withoutBoxes)
    assert.deepEqual(
      invoice.rows.map(([product, , price]) => [product?.split('\n').slice(0, 2), price]).slice(0, 2),
      [
        [['Snapper', 'Coupon SNAP10: -$3.00'], '$30.00/kg'],
        [['Snapper', 'Fillets, skin off, about 450 g of each kilogram; $4.00/kg of its price'], '$34.00/kg'],
      ],
    )
    const csv = (await shop.admin('GET', '/api/order/export.csv')).body.split('\r\n')
    assert.equal(csv.filter((row) => row.includes(',Snapper,')).length, 2)
    await follow(shop.deps, sales(shop.deps))
    const { rows: sold } = await report(shop.admin, 'product')
    const snapper = sold.find(({ key }) => key === 'snapper')
    assert.deepEqual(
      [snapper?.now.orders, snapper?.now.grams, snapper?.now.revenue],
      [1, 2_000, 5_760],
      'one order',
    )
    assert.deepEqual(await differences(shop), [])
    const recalled = await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm' })
    assert.ok(recalled.statusCode < 300, recalled.body)
  })

  test(`${name}: what there is, and what one order takes, is for both lines together, and said at the one that gets less`, async () => {
    await using shop = await shopOfSnapper({ open }, { stock: 5 })
    const lines = [whole(2), { product_id: 'ice', quantity: 1 }, prepared(3.5)]
    const short = {
      ...{ path: 'lines[2]', product_id: 'snapper', preparation: 'skin-off' },
      ...{ wanted: 3.5, left: 3, together: 5 },
    }
    assert.deepEqual(await shortOf(await shop.place({ lines })), [short])
    assert.deepEqual(await shortOf(await hold(shop, lines)), [short])
    const both = await shortOf(await shop.place({ lines: [whole(6), prepared(1)] }))
    assert.deepEqual(
      both.map(({ path, left }: { path: string; left: number }) => [path, left]),
      [
        ['lines[0]', 5],
        ['lines[1]', 0],
      ],
    )
    const [alone] = await shortOf(await shop.place({ lines: [whole(6)] }))
    assert.deepEqual(
      alone,
      { product_id: 'snapper', wanted: 6, left: 5 },
      'as before: its product says which line',
    )
    await shop.admin('PATCH', '/api/product/snapper', { orderLimit: 3 })
    assert.deepEqual(await shortOf(await shop.place({ lines: [prepared(2), whole(2)] })), [
      { path: 'lines[1]', product_id: 'snapper', wanted: 2, left: 1, together: 3, why: 'line' },
    ])
    const twice = await shop.place({ lines: [prepared(1), whole(1), prepared(1)] })
    assert.deepEqual([twice.statusCode, twice.json().error.fields[0].path], [400, 'lines[2]'])
    assert.equal(await shop.stockOf('snapper'), 5)

    await shop.admin('PATCH', '/api/product/snapper', { orderLimit: 0, preparations: [gutted] })
    const ended = await shortOf(await shop.place({ lines: [whole(1), prepared(1)] }), 'price.changed')
    const price = { product_id: 'snapper', price: 3_000, discount: 0, unit: 'kg' }
    assert.deepEqual(ended, [
      { path: 'lines[0]', ...price },
      { path: 'lines[1]', ...price, was: 'skin-off' },
    ])
    await shop.admin('PATCH', '/api/product/snapper', { price: 30.01 })
    const halves = await shop.place({ lines: [whole(0.5), prepared(0.5)] })
    assert.equal(halves.json().error.total, 3_001, 'the cart has one line then, rounded once')
    await shop.admin('PATCH', '/api/product/snapper', { price: 30 })
    const all = await placed(shop, [whole(4), prepared(1, 'gutted')])
    assert.equal(await shop.stockOf('snapper'), 0)
    assert.equal((await moved(shop, all.id, 'CANCELLED', { reason: 'asked for' })).status, 'CANCELLED')
    assert.equal(await shop.stockOf('snapper'), 5, 'both lines go back')
  })

  test(`${name}: a placed order is changed so that a product is in it twice, prepared otherwise, and never twice alike`, async () => {
    await using shop = await shopOfSnapper({ open }, { stock: 6 })
    const order = await placed(shop, [whole(2), { product_id: 'ice', quantity: 1 }])
    const first = await amendedAs(shop, order, { added: [prepared(1)], expectedTotal: 6_000 + 500 + 3_400 })
    assert.deepEqual(linesOf(first), [
      ['snapper', 2, undefined, 6_000],
      ['ice', 1, undefined, 500],
      ['snapper', 1, 'skin-off', 3_400],
    ])
    assert.equal(await shop.stockOf('snapper'), 3)
    const now = { ...order, version: 2 }
    const alike = async (change: Parameters<typeof amend>[2]) => {
      const { status, code, fields } = await refused(shop, now, change)
      assert.deepEqual([status, code], [400, 'input.invalid'])
      return fields[0].path
    }
    assert.equal(await alike({ added: [whole(1)] }), 'added[0].product_id')
    assert.equal(await alike({ added: [prepared(1, 'gutted'), prepared(1)] }), 'added[1].product_id')
    assert.equal(
      await alike({ lines: { 2: 2, 3: { quantity: 1, preparation: 'whole' } } }),
      'lines[1].preparation',
    )
    assert.equal(await alike({ added: [prepared(1, 'gutted'), prepared(2, 'gutted')] }), 'added[1]')

    const much = await refused(shop, now, { lines: { 1: 5, 3: 2 }, added: [prepared(1, 'gutted')] })
    assert.deepEqual(much.lines, [
      { path: 'lines[1]', product_id: 'snapper', preparation: 'skin-off', wanted: 2, left: 1, together: 6 },
      { path: 'added[0]', product_id: 'snapper', preparation: 'gutted', wanted: 1, left: 0, together: 6 },
    ])
    await shop.admin('PATCH', '/api/product/snapper', { orderLimit: 3 })
    const limited = await refused(shop, now, { lines: { 1: 2.5 } })
    assert.deepEqual(limited.lines, [
      { path: 'lines[0]', product_id: 'snapper', wanted: 2.5, left: 2, together: 3, why: 'line' },
    ])
    const moved = await amendedAs(shop, now, { lines: { 1: 1, 3: 2 } })
    assert.deepEqual([linesOf(moved)[0]?.[1], linesOf(moved)[2]?.[1]], [1, 2], 'from one line to the other')
    assert.equal(await shop.stockOf('snapper'), 3)
    const swapped = await amendedAs(
      shop,
      { ...order, version: 3 },
      {
        lines: {
          1: { quantity: 1, preparation: 'skin-off' },
          3: { quantity: 2, preparation: 'whole' },
        },
      },
    )
    assert.deepEqual([linesOf(swapped)[0]?.[2], linesOf(swapped)[2]?.[2]], ['skin-off', undefined])
    const last = await amendedAs(shop, { ...order, version: 4 }, { lines: { 3: 0 } })
    assert.equal(last.events.at(-1)?.reason, 'Changed. Snapper: taken out.')
    const gone = await amendedAs(shop, { ...order, version: 5 }, { lines: { 1: 0 }, added: [prepared(2)] })
    assert.deepEqual(linesOf(gone).at(-1), ['snapper', 2, 'skin-off', 6_800], 'one out, the same anew')
    assert.match(gone.events.at(-1)?.reason ?? '', /Snapper \(fillets, skin off\): taken out\./)
    assert.equal(await shop.stockOf('snapper'), 4)
    await shop.admin('PATCH', '/api/product/snapper', { preparations: [fillets] })
    const ended = await refused(shop, { ...order, version: 6 }, { added: [prepared(1, 'gutted')] })
    assert.deepEqual([ended.code, ended.path, ended.product_id], ['price.changed', 'added[0]', 'snapper'])
  })

  test(`${name}: both lines that came from a recalled box are replaced, and the stock loses what both lost`, async () => {
    await using shop = await shopOfSnapper({ open })
    for (const box of ['BOX-1', 'BOX-2']) await snapperBox(shop, box)
    const order = await placed(shop, [whole(2), prepared(1)])
    const packing = (boxID: string) => ({
      lines: [2_000, 1_000].map((grams, i) => ({
        ...{ position: i + 1, grams, boxes: [{ boxID, amount: grams }] },
      })),
    })
    const pack = async (boxID: string) => {
      const reply = await shop.admin('PUT', `${order.path}/packing`, packing(boxID))
      assert.equal(reply.statusCode, 200, reply.body)
    }
    await pack('BOX-1')
    await moved(shop, order.id, 'PACKED')
    const recalled = await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm' })
    assert.ok(recalled.statusCode < 300, recalled.body)
    await pack('BOX-2')
    assert.equal(await shop.stockOf('snapper'), 44)
    const [left] = (await shop.admin('GET', '/api/box/BOX-2/balance')).json()
    assert.equal(left.sold, 3_000)
    const { events } = (await shop.admin('GET', `${order.path}/manage`)).json()
    const said = events.flatMap(({ reason }: { reason: string }) => (/replaced/.test(reason) ? [reason] : []))
    assert.deepEqual(said, [
      'Snapper: box BOX-1 replaced by BOX-2',
      'Snapper (fillets, skin off): box BOX-1 replaced by BOX-2',
    ])
  })
}

test('a waiting order is taken line by line; who names no preparation means the only line of the product', async () => {
  await using shop = await shopOfSnapper()
  Object.assign(shop.deps.siteFile.orders, {
    firstOrderKg: 10,
    firstOrderDollars: 100_000,
    networkShare: 0.9,
  })
  const waits = async (lines: object[]) => (await placed(shop, lines)).path
  const confirm = (path: string, lines?: object[]) =>
    shop.admin('POST', `${path}/confirmation`, lines ? { lines } : {})
  const refusedAt = async (path: string, lines: object[]) => {
    const reply = await confirm(path, lines)
    return [reply.statusCode, reply.json().error.fields?.[0].path]
  }
  const both = await waits([whole(12), prepared(12)])
  assert.deepEqual(await refusedAt(both, [whole(1), prepared(13)]), [400, 'lines[1]'])
  assert.deepEqual(await refusedAt(both, [prepared(1, 'gutted')]), [400, 'lines[0]'])
  const one = await waits([prepared(20)])
  assert.deepEqual(await refusedAt(one, [prepared(20), whole(20)]), [400, 'lines[1]'])
  await shop.admin('PATCH', '/api/product/snapper', { stock: 20, preparations: [] })
  const [short] = await shortOf(await confirm(both))
  assert.deepEqual(
    [short.path, short.preparation, short.left, short.together],
    ['lines[1]', 'skin-off', 8, 20],
  )
  const taken = await confirm(both, [prepared(8), whole(11)])
  assert.deepEqual(linesOf(taken.json()), [
    ['snapper', 8, 'skin-off', 27_200],
    ['snapper', 11, undefined, 33_000],
  ])
  assert.deepEqual(linesOf((await confirm(one, [whole(1)])).json()), [['snapper', 1, 'skin-off', 3_400]])
  assert.equal(await shop.stockOf('snapper'), 0)
})
