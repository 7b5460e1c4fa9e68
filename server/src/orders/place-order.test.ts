import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { idempotencyKeys, orders } from '#server/db/schema/orders.ts'
import { products } from '#server/db/schema/shop.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, linesOf, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const mails = ({ deps }: OrderShop) => deps.db.$count(jobs, eq(jobs.queue, MAIL_QUEUE))
const count = ({ deps }: OrderShop) => deps.db.$count(orders)

for (const [name, open] of testDatabases)
  test(`${name}: an order takes stock, gets a number and an email, and is shown by its link`, async () => {
    await using shop = await shopWithOrders({ open })
    const placed = await shop.placed({ snapper: 2, ice: 1 })
    const year = new Date().getFullYear()
    assert.match(placed.number, new RegExp(`^BF-(${year}|${year + 1})-000001$`))
    assert.deepEqual(
      [placed.status, placed.totals.total, placed.totals.gst, placed.totals.taxable, placed.totals.free],
      ['PLACED', 6_500, 45, 500, 6_000],
    )
    assert.deepEqual(
      placed.lines.map(({ title, orderedGrams, finalGrams, origin }) => [
        title,
        orderedGrams,
        finalGrams,
        origin,
      ]),
      [
        ['Snapper', 2_000, null, 'Australia'],
        ['Ice', null, null, null],
      ],
    )
    assert.deepEqual(
      [await shop.stockOf('snapper'), await shop.stockOf('ice'), await mails(shop)],
      [48, 49, 1],
    )
    const shown = await shop.app.inject((await keyed(placed.link)).url)
    assert.equal(shown.statusCode, 200, shown.body)
    assert.deepEqual([shown.json().contact.email, shown.json().moves], ['ann@example.org', ['CANCELLED']])
    assert.equal((await shop.placed({ ice: 1 })).number, placed.number.replace('000001', '000002'))
  })

/** The API's URL of an order's page. */
async function keyed(link: string) {
  const { pathname, searchParams } = new URL(link)
  const key = searchParams.get('key') ?? ''
  return {
    key,
    path: pathname.replace('/user/', '/api/'),
    url: `${pathname.replace('/user/', '/api/')}?key=${key}`,
  }
}

test('an order is seen by its buyer, the shop and its link, and by nobody else', async () => {
  await using shop = await shopWithOrders()
  const ann = await callerOf(shop, 'ann', 'USER')
  const bob = await callerOf(shop, 'bob', 'USER')
  const body = {
    lines: linesOf({ ice: 1 }),
    contact: { fname: 'Ann', lname: 'Lee', email: 'x@example.org', phone: '0400000000' },
    fulfilment: { kind: 'pickup', slot: shop.pickup },
  }
  const made = await ann('POST', '/api/order', body, { 'idempotency-key': 'a' })
  assert.equal(made.statusCode, 201, made.body)
  const { key, path, url } = await keyed(made.json().link)
  const status = async (reply: Promise<{ statusCode: number }>): Promise<number> => (await reply).statusCode
  assert.deepEqual(
    [
      await status(ann('GET', path)),
      await status(shop.admin('GET', path)),
      await status(shop.app.inject(url)),
    ],
    [200, 200, 200],
  )
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  for (const foreign of [path, `${path}?key=${wrong}`, `${path}?key=`, `${path}?key=${key}0`]) {
    assert.equal(await status(shop.app.inject(foreign)), 404, foreign)
    assert.equal(await status(bob('GET', foreign)), 404, foreign)
  }
  assert.equal(await status(bob('POST', `${path}/cancellation`, {})), 404)
  assert.equal(await status(bob('PATCH', path, { status: 'CANCELLED' })), 403)
  assert.deepEqual(
    [(await ann('GET', '/api/order')).json().total, (await bob('GET', '/api/order')).json().total],
    [1, 0],
  )
  const found = (await shop.admin('GET', '/api/order/all?q=x@example')).json()
  assert.deepEqual([found.total, found.rows[0].contact.lname], [1, 'Lee'])
  assert.equal((await shop.admin('GET', `/api/order/all?q=${made.json().number.slice(-6)}`)).json().total, 1)
  assert.equal((await shop.admin('GET', '/api/order/all?q=nobody')).json().total, 0)
})

for (const [name, open] of testDatabases)
  test(`${name}: the same request again is answered with the first response, and orders nothing`, async () => {
    await using shop = await shopWithOrders({ open })
    const lines = linesOf({ snapper: 1 })
    const key = { 'idempotency-key': 'one' }
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => shop.place({ lines }, key)))
    const done = [first, ...others].filter((reply) => reply?.statusCode === 201)
    const running = [first, ...others].filter((reply) => reply?.statusCode === 409)
    assert.equal(done.length + running.length, 6)
    assert.equal(done.filter((reply) => reply?.headers['idempotent-replayed'] === undefined).length, 1)
    for (const reply of running) assert.equal(reply?.headers['retry-after'], '1', reply?.body)
    const again = await shop.place({ lines }, key)
    assert.deepEqual([again.statusCode, again.headers['idempotent-replayed']], [201, 'true'])
    assert.deepEqual(again.json(), done[0]?.json())
    assert.deepEqual([await count(shop), await mails(shop), await shop.stockOf('snapper')], [1, 1, 49])
    const other = await shop.place({ lines: linesOf({ snapper: 2 }) }, key)
    assert.deepEqual([other.statusCode, other.json().error.code], [422, 'idempotency.differs'])
    const ann = await callerOf(shop, 'ann', 'USER')
    const theirs = await ann('POST', '/api/order', JSON.parse(JSON.stringify(lastBody(shop, lines))), key)
    assert.equal(theirs.statusCode, 422, 'the key of somebody else')
    await rows(shop.deps.db, sql`update idempotency_keys set created_at = now() - interval '25 hours'`)
    assert.equal((await shop.place({ lines: linesOf({ snapper: 2 }) }, key)).statusCode, 201)
    assert.deepEqual([await count(shop), await shop.stockOf('snapper')], [2, 47])
  })

const lastBody = (shop: OrderShop, lines: object) => ({
  lines,
  contact: { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' },
  fulfilment: { kind: 'pickup', slot: shop.pickup },
})

test('what changed meanwhile is said, and nothing is taken', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const refused = async (order: object): Promise<Record<string, unknown>> => {
    const reply = await shop.place(order)
    assert.equal(reply.statusCode, 409, reply.body)
    return reply.json().error
  }
  const lines = linesOf({ snapper: 51, ice: 2 })
  assert.deepEqual((await refused({ lines })).lines, [{ product_id: 'snapper', wanted: 51, left: 50 }])
  const dear = await refused({ lines: linesOf({ ice: 2 }), expectedTotal: 900 })
  assert.deepEqual([dear.code, dear.total], ['price.changed', 1_000])
  await db.update(products).set({ status: 'DISABLED' }).where(eq(products.id, 'ice'))
  assert.deepEqual((await refused({ lines: linesOf({ ice: 1 }) })).lines, [
    { product_id: 'ice', wanted: 1, left: 0 },
  ])
  assert.deepEqual((await refused({ lines: linesOf({ none: 1 }) })).lines, [
    { product_id: 'none', wanted: 1, left: 0 },
  ])
  const one = { lines: linesOf({ snapper: 1 }) }
  const full = await shop.newSlot({ capacity: 1 })
  const closed = await shop.newSlot({ closed: true })
  const past = await shop.newSlot({ cutOffAt: new Date(Date.now() - 1_000).toISOString() })
  assert.equal((await shop.place({ ...one, fulfilment: { kind: 'pickup', slot: full } })).statusCode, 201)
  const elsewhere = { kind: 'delivery', slot: shop.delivery, address: { ...address, postcode: '4000' } }
  for (const [fulfilment, reason] of [
    [{ kind: 'pickup', slot: full }, 'full'],
    [{ kind: 'pickup', slot: closed }, 'closed'],
    [{ kind: 'pickup', slot: past }, 'closed'],
    [{ kind: 'pickup', slot: 'none' }, 'gone'],
    [{ kind: 'pickup', slot: shop.delivery }, 'area'],
    [elsewhere, 'area'],
  ] as const) {
    const error = await refused({ ...one, fulfilment })
    assert.deepEqual([error.code, error.reason], ['slot.unavailable', reason])
  }
  assert.deepEqual([await count(shop), await mails(shop), await shop.stockOf('snapper')], [1, 1, 49])
  assert.equal(await db.$count(idempotencyKeys), 1)
  const delivered = await shop.place({
    ...one,
    fulfilment: { kind: 'delivery', slot: shop.delivery, address },
  })
  assert.equal(delivered.statusCode, 201, delivered.body)
  const open = (await shop.app.inject('/api/slot?kind=delivery&postcode=2000')).json()
  assert.deepEqual(
    open.map(({ _id, left }: { _id: string; left: number }) => [_id, left]),
    [[shop.delivery, 999]],
  )
  assert.deepEqual((await shop.app.inject('/api/slot?kind=delivery&postcode=4000')).json(), [])
})

test('bad input is refused with the path of what is wrong, and stores nothing', async () => {
  await using shop = await shopWithOrders()
  const good = { lines: linesOf({ ice: 1 }) }
  const delivery = (change: object) => ({
    ...good,
    fulfilment: { kind: 'delivery', slot: shop.delivery, address: { ...address, ...change } },
  })
  const contact = { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' }
  for (const [order, path] of [
    ...[0, -1, 1.0005, 1e9, '1', null].map((quantity) => [
      { lines: [{ product_id: 'ice', quantity }] },
      'lines[0].quantity',
    ]),
    [{ lines: [{ product_id: 'i\u0000ce', quantity: 1 }] }, 'lines[0].product_id'],
    [{ ...good, fulfilment: { kind: 'pickup', slot: '\u0000' } }, 'fulfilment.slot'],
    [{ ...good, hold: '\u0000' }, 'hold'],
    [{ lines: [] }, 'lines'],
    [{ lines: 'ice' }, 'lines'],
    [{ lines: [...linesOf({ ice: 1 }), ...linesOf({ ice: 1 })] }, 'lines[1]'],
    [delivery({ street: 'a\u0000b' }), 'fulfilment.address.street'],
    [delivery({ street: '\u202egnol' }), 'fulfilment.address.street'],
    [delivery({ street: 'one\ntwo' }), 'fulfilment.address.street'],
    [delivery({ suburb: ' ' }), 'fulfilment.address.suburb'],
    [delivery({ postcode: '20000' }), 'fulfilment.address.postcode'],
    [delivery({ state: 'XX' }), 'fulfilment.address.state'],
    [{ ...good, fulfilment: { kind: 'drone', slot: 'x' } }, 'fulfilment.kind'],
    [{ ...good, contact: { ...contact, email: 'ann' } }, 'contact.email'],
    [{ ...good, contact: { ...contact, phone: '12' } }, 'contact.phone'],
    [{ ...good, note: '\u0007' }, 'note'],
    [{ ...good, expectedTotal: 9.5 }, 'expectedTotal'],
    [{ ...good, discount: 100 }, 'discount'],
  ] as [object, string][]) {
    const reply = await shop.place(order)
    assert.equal(reply.statusCode, 400, `${JSON.stringify(order)} ${reply.body}`)
    assert.ok(
      reply.json().error.fields.some((field: { path: string }) => field.path === path),
      `${path}: ${reply.body}`,
    )
  }
  for (const key of ['', ' ', 'k'.repeat(256)])
    assert.equal((await shop.place(good, { 'idempotency-key': key })).statusCode, 400, `key of ${key.length}`)
  const none = await shop.app.inject({
    method: 'POST',
    url: '/api/order',
    payload: lastBody(shop, good.lines),
  })
  assert.deepEqual([none.statusCode, none.json().error.fields[0].path], [400, 'Idempotency-Key'])
  for (const url of ['/api/order/%00', '/api/order/%00/cancellation', '/api/order/%00/acceptance'])
    assert.ok(
      [400, 404].includes((await shop.app.inject({ method: 'POST', url, payload: {} })).statusCode),
      url,
    )
  assert.equal((await shop.app.inject('/api/order/%00')).statusCode, 404)
  assert.equal((await shop.admin('DELETE', '/api/order/hold/%00')).statusCode, 404)
  assert.equal((await shop.admin('PATCH', '/api/slot/%00', { closed: true })).statusCode, 404)
  assert.equal((await shop.admin('GET', '/api/order/all?slot=%00')).statusCode, 400)
  assert.equal((await shop.admin('GET', '/api/order/all?q=%00')).statusCode, 400)
  assert.deepEqual([await count(shop), await mails(shop), await shop.stockOf('ice')], [0, 0, 50])
  assert.equal(await shop.deps.db.$count(idempotencyKeys), 0)
})

test('a product in an order is not deleted', async () => {
  await using shop = await shopWithOrders()
  await shop.placed({ ice: 1 })
  await shop.admin('PATCH', '/api/product/ice', { status: 'DISABLED' })
  const refused = await shop.admin('DELETE', '/api/product/ice')
  assert.deepEqual([refused.statusCode, refused.json().error?.code], [409, 'product.in_orders'])
})

test('undoing a change of stock leaves a product that was ordered meanwhile as it is', async () => {
  await using shop = await shopWithOrders()
  const bulk = { ids: ['snapper', 'ice'], set: { stock: 10 } }
  const changed = (await shop.admin('POST', '/api/product/bulk', bulk)).json()
  await shop.placed({ snapper: 2 })
  const changes = changed.rows.map(({ change }: { change: number }) => change)
  const undone = await shop.admin('POST', '/api/product/bulk/undo', { changes })
  assert.equal(undone.statusCode, 200, undone.body)
  assert.deepEqual(undone.json().left, ['snapper'])
  assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [8, 50])
})

test('nobody has somebody else flooded with emails about orders, signed in neither', async () => {
  await using shop = await shopWithOrders()
  const ann = await callerOf(shop, 'ann', 'USER')
  const orderFor = async (email: string, i: number): Promise<number> => {
    const body = {
      lines: linesOf({ [i % 2 ? 'ice' : 'snapper']: 1 }),
      contact: { fname: 'Ann', lname: 'Lee', email, phone: '0400000000' },
      fulfilment: { kind: 'pickup', slot: shop.pickup },
    }
    return (await ann('POST', '/api/order', body, { 'idempotency-key': `${email} ${i}` })).statusCode
  }
  for (let i = 0; i < 20; i++) assert.equal(await orderFor('bob@example.com', i), 201)
  assert.equal(await orderFor('BOB@example.com', 20), 429)
  for (let i = 0; i < 22; i++) assert.equal(await orderFor('Ann@example.org', i), 201, 'her own email')
})
