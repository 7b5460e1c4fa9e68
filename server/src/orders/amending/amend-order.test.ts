import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { slots } from '#server/db/schema/orders.ts'
import { amend, amendedAs, type Order, ordered, refused, seen } from '#server/testing/amending.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  address,
  buyer,
  linesOf,
  moved,
  type OrderShop,
  shopWithOrders,
  snapperBox,
} from '#server/testing/orders.ts'

const late = ({ deps }: OrderShop, slot: string) =>
  deps.db
    .update(slots)
    .set({ cutOffAt: new Date(Date.now() - 1_000) })
    .where(eq(slots.id, slot))

for (const [name, open] of testDatabases) {
  test(`${name}: amounts, a line, slot, address and note change together, with stock, sums and history`, async () => {
    await using shop = await shopWithOrders({ open })
    const where = { kind: 'delivery', slot: shop.delivery, address }
    const order = await ordered(shop, { snapper: 2, ice: 3 }, { fulfilment: where, note: 'Ring' })
    const slot = await shop.newSlot({ kind: 'delivery', area: ['2000'], capacity: 1 })
    const there = { ...address, postcode: '2000' }
    const more = { slot, address: there, note: 'Knock', expectedTotal: 7_500 }
    const now = await amendedAs(shop, order, { lines: { 1: 2.5, 2: 0 }, ...more })
    assert.deepEqual(
      now.lines.map(({ position, quantity, orderedGrams, total }) => [
        position,
        quantity,
        orderedGrams,
        total,
      ]),
      [[1, 2.5, 2_500, 7_500]],
    )
    assert.deepEqual(
      [now.totals.total, now.totals.gst, now.totals.taxable, now.agreed, now.most, now.version],
      [7_500, 0, 0, 7_500, 8_250, 2],
    )
    assert.deepEqual([now.slot._id, now.address, now.note], [slot, there, 'Knock'])
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [47.5, 50])
    assert.match(
      now.events.at(-1)?.reason ?? '',
      /^Changed\. Snapper: 2\.5 kg instead of 2 kg\. Ice: taken out\. Moved from .* to .*\. Another address\. Another note\.$/,
    )
    const managed = (await shop.admin('GET', `${order.path}/manage`)).json()
    assert.equal(managed.events.at(-1).who, null, 'the guest')
    const { rows } = (await shop.admin('GET', '/api/slot/all')).json()
    const taken = rows.map((row: { _id: string; orders: number }) => [row._id, row.orders])
    assert.deepEqual(new Map(taken).get(slot), 1)
    assert.deepEqual(new Map(taken).get(shop.delivery), 0)
    const ics = (await shop.app.inject(`${order.path}/time.ics${order.query}`)).body
    assert.match(ics, /SEQUENCE:2\r\n/)
    await moved(shop, order.id, 'CANCELLED')
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [50, 50])
  })

  test(`${name}: of two changes at once one is made, of one sent twice too, and nothing of a refused one`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await ordered(shop, { snapper: 2, ice: 1 })
    const replies = await Promise.all(
      [3, 4].map((quantity) => amend(shop, order, { lines: { 1: quantity } })),
    )
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409])
    const lost = replies.find(({ statusCode }) => statusCode === 409)?.json().error
    const there = await seen(shop, order)
    assert.deepEqual([lost.code, lost.current.version, lost.current.lines], ['version.stale', 2, there.lines])

    const [second, third] = [2, 3].map((version) => ({ ...order, version })) as [Order, Order]
    const key = randomUUID()
    const twice = await Promise.all([1, 2].map(() => amend(shop, second, { lines: { 1: 5 } }, key)))
    assert.deepEqual(
      twice.map(({ statusCode, headers }) => [statusCode, headers['idempotent-replayed'] ?? 'false']).sort(),
      [
        [200, 'false'],
        [200, 'true'],
      ],
    )
    assert.deepEqual([await shop.stockOf('snapper'), (await seen(shop, order)).version], [45, 3])
    assert.equal((await refused(shop, second, { lines: { 1: 6 } }, key)).status, 422, 'another with the key')
    const none = await shop.app.inject({
      method: 'POST',
      url: `${order.path}/amendment${order.query}`,
      payload: { version: 3 },
    })
    assert.equal(none.statusCode, 400, 'without a key')

    const full = await shop.newSlot({ capacity: 1 })
    await ordered(shop, { ice: 1 }, { fulfilment: { kind: 'pickup', slot: full } })
    const short = await refused(shop, third, { lines: { 1: 1, 2: 60 } })
    assert.deepEqual(short.lines, [{ product_id: 'ice', wanted: 60, left: 49 }])
    assert.equal((await refused(shop, third, { lines: { 1: 1 }, slot: full })).reason, 'full')
    assert.equal((await refused(shop, third, { lines: { 1: 1 }, expectedTotal: 1 })).code, 'price.changed')
    assert.deepEqual([await shop.stockOf('snapper'), (await seen(shop, order)).version], [45, 3])
  })

  test(`${name}: a change beside packing, a cancellation, a recall and an order for what it frees`, async () => {
    await using shop = await shopWithOrders({ open })
    await snapperBox(shop)
    const race = async (other: (order: Order) => Promise<{ statusCode: number; body: string }>) => {
      const order = await ordered(shop, { snapper: 2, ice: 1 })
      const [change, beside] = await Promise.all([amend(shop, order, { lines: { 1: 1 } }), other(order)])
      return { order, change, beside, now: await seen(shop, order) }
    }
    const packing = await race(({ path }) =>
      shop.admin('PUT', `${path}/packing`, {
        lines: [{ position: 1, grams: 2_000, boxes: [{ boxID: 'BOX-1', amount: 2_000 }] }],
      }),
    )
    // Whichever was first: weights are of what was ordered, or the change is refused.
    assert.equal(packing.beside.statusCode, 200, packing.beside.body)
    const isLate = packing.change.statusCode === 409
    assert.equal(packing.now.lines[0]?.quantity, isLate ? 2 : 1)
    if (isLate) assert.equal(packing.change.json().error.why, 'packing')
    assert.equal(packing.now.amendable, 'packing')

    const cancelled = await race(({ path }) => shop.admin('PATCH', path, { status: 'CANCELLED' }))
    assert.equal(cancelled.now.status, 'CANCELLED')
    assert.ok([200, 409].includes(cancelled.change.statusCode), cancelled.change.body)

    await race(() => shop.admin('PUT', '/api/box/BOX-1/recall', { reason: 'Histamine' })) // no deadlock
    const stock = await shop.stockOf('ice')
    const all = await ordered(shop, { ice: stock })
    const [freed, bought] = await Promise.all([
      amend(shop, all, { lines: { 1: 1 } }),
      shop.place({ lines: linesOf({ ice: stock - 1 }) }),
    ])
    assert.equal(freed.statusCode, 200, freed.body)
    const left = await shop.stockOf('ice')
    assert.equal(left, bought.statusCode === 201 ? 0 : stock - 1)
  })
}

test('after the cut-off, once packing began, in another state: refused in words that say why', async () => {
  await using shop = await shopWithOrders()
  const order = await ordered(shop, { snapper: 2, ice: 1 })
  assert.equal((await seen(shop, order)).amendable, 'open')
  const slot = await shop.newSlot({})
  const packed = await ordered(shop, { snapper: 1 })
  await shop.admin('PUT', `${packed.path}/packing`, { lines: [{ position: 1, grams: 1_000 }] })
  const begun = await refused(shop, { ...packed, version: 2 }, { note: 'Late' })
  assert.deepEqual([begun.status, begun.code, begun.why], [409, 'order.state', 'packing'])
  assert.match(begun.message, /begun to pack/)
  await moved(shop, packed.id, 'PACKED')
  assert.match((await refused(shop, { ...packed, version: 3 }, { note: 'Late' })).message, /is PACKED/)
  assert.equal((await seen(shop, packed)).amendable, 'state')

  await late(shop, shop.pickup)
  for (const more of [{ note: 'Late' }, { slot }, { lines: { 1: 1 } }]) {
    const after = await refused(shop, order, more)
    assert.deepEqual([after.status, after.code, after.why], [409, 'order.state', 'late'])
    assert.match(after.message, /could be changed until \w{3} \d+ \w{3}, \d+:\d\d [ap]m/)
  }
  const where = { kind: 'delivery', slot: shop.delivery, address }
  const delivery = await ordered(shop, { ice: 1 }, { fulfilment: where })
  await late(shop, shop.delivery)
  const elsewhere = await refused(shop, delivery, { address: { ...address, street: '2 Bank St' } })
  assert.equal(elsewhere.why, 'late', 'an address after the cut-off')
  const now = await seen(shop, delivery)
  assert.deepEqual([now.amendable, now.address, now.version], ['late', address, 1])
})

test('only whoever ordered, or has the link, changes it, and to everybody else it is not there', async () => {
  await using shop = await shopWithOrders()
  const [ann, bob] = [await callerOf(shop, 'ann', 'USER'), await callerOf(shop, 'bob', 'USER')]
  const fulfilment = { kind: 'pickup', slot: shop.pickup }
  const own = { lines: linesOf({ ice: 2 }), contact: buyer, fulfilment }
  const { _id } = (await ann('POST', '/api/order', own, { 'idempotency-key': 'own' })).json()
  const url = `/api/order/${_id}/amendment`
  const change = { version: 1, lines: [{ position: 1, quantity: 1 }] }
  const key = { 'idempotency-key': 'change' }
  const strangers = [
    bob('POST', url, change, key),
    shop.app.inject({ method: 'POST', url, payload: change, headers: key }),
    shop.app.inject({ method: 'POST', url: `${url}?key=guessed`, payload: change, headers: key }),
  ]
  for (const reply of await Promise.all(strangers))
    assert.deepEqual([reply.statusCode, reply.json().error.code], [404, 'order.not_found'], reply.body)
  assert.equal((await ann('POST', url, change, key)).statusCode, 200)
  assert.equal((await bob('POST', url, change, key)).statusCode, 404, 'also of one that was made')
})

test('what is taken more is taken as by an order, and the price is the lower one', async () => {
  await using shop = await shopWithOrders()
  const order = await ordered(shop, { snapper: 2, ice: 2 })
  await shop.admin('PATCH', '/api/product/snapper', { price: 35 })
  await shop.admin('PATCH', '/api/product/ice', { price: 4 })
  const now = await amendedAs(shop, order, { lines: { 1: 3, 2: 1 } })
  assert.deepEqual(
    now.lines.map(({ price, total }) => [price, total]),
    [
      [3_000, 9_000],
      [500, 500],
    ],
    'dearer by now: as agreed; less of it: as agreed',
  )
  const more = await amendedAs(shop, { ...order, version: 2 }, { lines: { 2: 2 } })
  assert.deepEqual([more.lines[1]?.price, more.lines[1]?.total], [400, 800], 'cheaper by now')

  const [third, fourth] = [3, 4].map((version) => ({ ...order, version })) as [Order, Order]
  assert.deepEqual((await refused(shop, third, { lines: { 1: 3.1 } })).lines, [
    { product_id: 'snapper', wanted: 3.1, left: 3, why: 'step' },
  ])
  await shop.admin('PATCH', '/api/product/snapper', { status: 'DISABLED' })
  assert.deepEqual((await refused(shop, third, { lines: { 1: 4 } })).lines, [
    { product_id: 'snapper', wanted: 4, left: 3 },
  ])
  assert.equal((await amendedAs(shop, third, { lines: { 1: 1 } })).lines[0]?.total, 3_000, 'less goes')

  assert.match((await refused(shop, fourth, { lines: { 1: 0, 2: 0 } })).message, /cancel it instead/)
  assert.equal((await refused(shop, fourth, { lines: { 3: 1 } })).fields[0].path, 'lines[0].position')
  assert.equal((await refused(shop, fourth, { address })).fields[0].path, 'address')
  const same = await amendedAs(shop, fourth, { lines: { 1: 1 }, slot: shop.pickup, note: '' })
  assert.deepEqual([same.version, same.events.length], [4, 4], 'nothing else than is there')
})

test('nobody takes all by changing: share, line limit, and what a large first order waits for', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  const order = await ordered(shop, { snapper: 2, ice: 1 })
  assert.deepEqual((await refused(shop, order, { lines: { 1: 13 } })).lines, [
    { product_id: 'snapper', wanted: 13, left: 12, why: 'network' },
  ])
  await shop.admin('PATCH', '/api/product/snapper', { stock: 200 })
  assert.deepEqual((await refused(shop, order, { lines: { 1: 21 } })).lines, [
    { product_id: 'snapper', wanted: 21, left: 20, why: 'line' },
  ])
  const large = await refused(shop, order, { lines: { 1: 18 } })
  assert.deepEqual([large.code, large.why], ['order.state', 'unconfirmed'])
  await shop.admin('POST', `${order.path}/confirmation`, {})
  assert.equal((await amendedAs(shop, order, { lines: { 1: 18 } })).totals.total, 54_500)
})

test('an address goes with its slot', async () => {
  await using shop = await shopWithOrders()
  const where = { kind: 'delivery', slot: shop.delivery, address }
  const order = await ordered(shop, { ice: 1 }, { fulfilment: where })
  const far = { ...address, postcode: '3000' }
  const served = await shop.newSlot({ kind: 'delivery', area: ['3000'] })
  const here = await refused(shop, order, { address: far })
  assert.deepEqual(
    [here.code, here.reason, here.slots.map(({ _id }: { _id: string }) => _id)],
    ['slot.unavailable', 'area', [served]],
  )
  assert.equal((await refused(shop, order, { slot: served })).reason, 'area')
  assert.equal((await refused(shop, order, { slot: shop.pickup })).reason, 'area', 'another kind')
  assert.equal((await refused(shop, order, { slot: 'none' })).reason, 'gone')
  const now = await amendedAs(shop, order, { slot: served, address: far })
  assert.deepEqual([now.slot._id, now.address], [served, far])
})
