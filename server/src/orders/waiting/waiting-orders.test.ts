import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { purge } from '#server/db/retention.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { linkIn } from '#server/testing/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { AUTHORIZED, cardShop, paid } from '#server/testing/card-shop.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders, unlimited } from '#server/testing/orders.ts'
import { orderRetention } from '../retention.ts'

const silent = { warn: () => undefined, error: () => undefined }
const first = { ...unlimited, firstOrderDollars: 500, firstOrderKg: 20 }

/** A shop in which large first orders wait, and what it mails. */
async function waitingShop(open?: () => Promise<TestDb>) {
  const came: EmailMessage[] = []
  const mailer = {
    send: async (message: EmailMessage) => void came.push(message),
    close: async () => undefined,
  }
  const shop = await shopWithOrders({ ...(open && { open }), deps: { mailer } })
  Object.assign(shop.deps.siteFile.orders, first)
  const mailed = async (): Promise<EmailMessage[]> => {
    const before = came.length
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
    return came.slice(before)
  }
  const large = async (more: object = {}) => {
    const reply = await shop.place({ lines: linesOf({ snapper: 17 }), ...more })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  return { ...shop, mailed, large }
}

type Link = { path: string; query: string; confirm: string }
const linkOf = (url: string): Link => {
  const { pathname, searchParams } = new URL(url)
  const query = `?key=${searchParams.get('key')}`
  return { path: pathname.replace('/user/', '/api/'), query, confirm: searchParams.get('confirm') ?? '' }
}
const confirmed = ({ app }: OrderShop, { path, query, confirm }: Link, more: object = {}) =>
  app.inject({
    method: 'POST',
    url: `${path}/confirmation${query}`,
    payload: { ...(confirm && { confirm }), ...more },
  })
const seen = async ({ app }: OrderShop, { path, query }: Link) => (await app.inject(path + query)).json()

for (const [name, open] of testDatabases) {
  test(`${name}: a large first order of a guest waits for the click in its email, and takes nothing until then`, async () => {
    await using shop = await waitingShop(open)
    const slot = await shop.newSlot({ capacity: 1 })
    const key = { 'idempotency-key': randomUUID() }
    const body = { lines: linesOf({ snapper: 17 }), fulfilment: { kind: 'pickup', slot } }
    const placed = (await shop.place(body, key)).json()
    assert.deepEqual([placed.status, placed.number, placed.totals.total], ['WAITING', undefined, 51_000])
    const hours = (Date.parse(placed.until) - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24.1)
    assert.equal(await shop.stockOf('snapper'), 50)
    assert.equal(
      (await shop.app.inject(`/api/slot`)).json().find(({ _id }: { _id: string }) => _id === slot).left,
      1,
    )
    assert.deepEqual((await shop.admin('GET', '/api/order/all')).json().rows, [], 'it is no order')
    assert.equal((await shop.admin('GET', '/api/order/waiting')).json().rows[0].contact.email, buyer.email)
    assert.deepEqual((await shop.place(body, key)).json(), placed, 'repeated, it is the same answer')

    const [mail, ...others] = await shop.mailed()
    assert.deepEqual([mail?.kind, others.length], ['order-waiting', 0])
    const link = linkOf(linkIn(mail))
    assert.equal((await seen(shop, link)).status, 'WAITING', 'looking at it confirms nothing')
    assert.equal(await shop.stockOf('snapper'), 50)
    const own = linkOf(placed.link)
    assert.equal((await confirmed(shop, own)).json().error.code, 'token.invalid', 'nor whoever placed it')
    assert.equal((await confirmed(shop, { ...link, query: '' })).statusCode, 404)

    const twice = await Promise.all([confirmed(shop, link), confirmed(shop, link)])
    assert.deepEqual(
      twice.map((reply) => [reply.statusCode, reply.json().status, reply.json().unconfirmed]),
      [
        [200, 'PLACED', false],
        [200, 'PLACED', false],
      ],
      'from two devices at once it is one order',
    )
    assert.equal(await shop.stockOf('snapper'), 33)
    assert.equal((await confirmed(shop, link)).json().number, twice[0]?.json().number)
    assert.equal((await seen(shop, own)).number, twice[0]?.json().number, 'under the same link')
    assert.deepEqual(
      (await shop.mailed()).map(({ kind }) => kind),
      ['order-placed'],
    )
    assert.deepEqual((await shop.admin('GET', '/api/order/waiting')).json().rows, [])
    assert.equal((await shop.place(body, key)).json().status, 'WAITING', 'a late repetition orders nothing')
    assert.equal(await shop.stockOf('snapper'), 33)
  })

  test(`${name}: what is not left any more is said by line when it is confirmed, and less or another time can be taken`, async () => {
    await using shop = await waitingShop(open)
    const full = await shop.newSlot({ capacity: 1 })
    const order = await shop.large({
      lines: linesOf({ snapper: 17, ice: 4 }),
      fulfilment: { kind: 'pickup', slot: full },
    })
    const link = linkOf(linkIn((await shop.mailed())[0]))
    await shop.admin('PATCH', '/api/product/snapper', { stock: 5, price: 45 })
    await shop.admin('PATCH', '/api/product/ice', { status: 'DISABLED' })
    const short = await confirmed(shop, link)
    assert.deepEqual(
      [short.statusCode, short.json().error.lines],
      [
        409,
        [
          { product_id: 'snapper', wanted: 17, left: 5 },
          { product_id: 'ice', wanted: 4, left: 0 },
        ],
      ],
    )
    const lines = linesOf({ snapper: 5 })
    assert.equal((await confirmed(shop, link, { lines: linesOf({ snapper: 18 }) })).statusCode, 400)
    assert.equal(
      (await shop.place({ lines: linesOf({ snapper: 1 }), fulfilment: { kind: 'pickup', slot: full } }))
        .statusCode,
      201,
    )
    await shop.admin('PATCH', '/api/product/snapper', { stock: 5 })
    const past = await confirmed(shop, link, { lines })
    assert.deepEqual([past.json().error.reason, past.json().error.slots.length], ['full', 1])
    assert.equal(await shop.stockOf('snapper'), 5, 'what is refused takes nothing')
    const taken = (await confirmed(shop, link, { lines, slot: shop.pickup })).json()
    assert.deepEqual(
      [taken._id, taken.status, taken.lines.length, taken.totals.total, taken.slot._id],
      [order._id, 'PLACED', 1, 15_000, shop.pickup],
      'at the price it was ordered at',
    )
    assert.equal(await shop.stockOf('snapper'), 0)
  })

  test(`${name}: after 24 hours, or dropped, it is no order any more, and its email is not sent`, async () => {
    await using shop = await waitingShop(open)
    const [late, dropped, own] = [await shop.large(), await shop.large(), await shop.large()]
    const links = (await shop.mailed()).map((mail) => linkOf(linkIn(mail)))
    const linkTo = (id: string): Link => {
      const link = links.find(({ path }) => path.endsWith(id))
      assert.ok(link)
      return link
    }
    const again = async (id: string) => {
      const { path, query } = linkTo(id)
      return shop.app.inject({ method: 'POST', url: `${path}/confirmation/email${query}` })
    }
    assert.equal((await again(late._id)).statusCode, 204)
    const id = sql`${late._id}`
    await rows(shop.deps.db, sql`update waiting_orders set ends_at = now() where id = ${id}`)
    assert.deepEqual(await shop.mailed(), [], 'withdrawn before it was sent')
    const refused = (await confirmed(shop, linkTo(late._id))).json().error
    assert.deepEqual([refused.code, refused.status], ['order.state', 'LAPSED'])
    assert.match(refused.message, /lapsed/)
    assert.equal((await seen(shop, linkTo(late._id))).status, 'LAPSED')
    assert.equal((await again(late._id)).statusCode, 409)

    const { path, query } = linkOf(own.link)
    const cancel = () =>
      shop.app.inject({ method: 'POST', url: `${path}/cancellation${query}`, payload: { reason: 'Away' } })
    for (const reply of [await cancel(), await cancel()])
      assert.deepEqual([reply.statusCode, reply.json().status, reply.json().contact], [200, 'DROPPED', null])
    assert.equal((await confirmed(shop, linkTo(own._id))).json().error.status, 'DROPPED')
    await shop.admin('POST', `/api/order/${dropped._id}/cancellation`, { reason: 'A joke' })
    assert.equal((await seen(shop, linkTo(dropped._id))).reason, 'A joke')
    assert.deepEqual([await shop.mailed(), await shop.stockOf('snapper')], [[], 50])

    await purge(shop.deps.db, new Date(Date.now() + 6 * DAY_MS), orderRetention)
    assert.equal((await seen(shop, linkTo(late._id))).status, 'LAPSED')
    await purge(shop.deps.db, new Date(Date.now() + 9 * DAY_MS), orderRetention)
    assert.deepEqual(await rows(shop.deps.db, sql`select 1 as left from waiting_orders`), [], 'and forgotten')
  })

  test(`${name}: a card that is accepted takes it, and is released where it is not left or comes too late`, async () => {
    await using shop = await cardShop({ open })
    Object.assign(shop.deps.siteFile.orders, first)
    const taken = await shop.byCard({ snapper: 17 })
    assert.equal((await shop.seen(taken)).status as string, 'WAITING')
    assert.deepEqual([await shop.mails(), await shop.stockOf('snapper')], [[], 50])
    await paid(shop, taken)
    const order = await shop.seen(taken)
    assert.deepEqual([order.status, order.payment?.state, order.unconfirmed], ['PLACED', 'AUTHORIZED', false])
    assert.deepEqual([await shop.mails(), await shop.stockOf('snapper')], [['order-placed'], 33])

    const short = await shop.byCard({ snapper: 18 })
    const url = await shop.page(short)
    await shop.admin('PATCH', '/api/product/snapper', { stock: 3 })
    shop.stripe.pay(url)
    const event = shop.stripe.event(AUTHORIZED, url)
    for (const reply of [await shop.send(event), await shop.send(event)]) assert.equal(reply.statusCode, 204)
    await shop.settle()
    const dropped = (await shop.app.inject(short.path + short.query)).json()
    assert.deepEqual([dropped.status, dropped.card.state], ['DROPPED', 'RELEASED'])
    assert.match(dropped.reason, /left/)
    assert.deepEqual((await shop.mails()).slice(-1), ['order-not-left'])
    assert.equal(await shop.stockOf('snapper'), 3)

    await shop.admin('PATCH', '/api/product/snapper', { stock: 50 })
    const unpaid = await shop.byCard({ snapper: 17 })
    await shop.page(unpaid)
    await shop.wait(36)
    await shop.settle()
    const waits = (await shop.app.inject(unpaid.path + unpaid.query)).json()
    assert.deepEqual(
      [waits.status, waits.card.state],
      ['WAITING', 'LAPSED'],
      'not paid in time, it still waits',
    )
    const second = await shop.page(unpaid)
    await rows(shop.deps.db, sql`update waiting_orders set ends_at = now() where id = ${unpaid.id}`)
    shop.stripe.pay(second)
    await shop.check(unpaid)
    await shop.settle()
    const over = (await shop.app.inject(unpaid.path + unpaid.query)).json()
    assert.deepEqual(
      [over.status, over.card.state, await shop.stockOf('snapper')],
      ['DROPPED', 'RELEASED', 50],
    )
  })
}

test('one that was to be paid by card can be confirmed by email instead, and stands when nobody pays', async () => {
  await using shop = await cardShop()
  Object.assign(shop.deps.siteFile.orders, first)
  const order = await shop.byCard({ snapper: 17 })
  await shop.page(order)
  const again = { method: 'POST' as const, url: `${order.path}/confirmation/email${order.query}` }
  assert.equal((await shop.app.inject(again)).statusCode, 204)
  assert.deepEqual(await shop.mails(), ['order-waiting'])
  assert.equal(
    (await shop.admin('POST', `${order.path}/confirmation`, {})).json().status,
    'PLACED',
    'by phone',
  )
  await shop.wait(36)
  await shop.settle()
  assert.deepEqual([(await shop.seen(order)).status, await shop.stockOf('snapper')], ['PLACED', 33])
})

test('what is sold by another unit since is not left, and is again when that was taken back', async () => {
  await using shop = await waitingShop()
  await shop.large()
  const link = linkOf(linkIn((await shop.mailed())[0]))
  assert.equal((await shop.admin('PATCH', '/api/product/snapper', { unit: 'bag' })).statusCode, 200)
  const other = await confirmed(shop, link)
  assert.deepEqual(
    [other.statusCode, other.json().error.lines],
    [409, [{ product_id: 'snapper', wanted: 17, left: 0 }]],
  )
  await shop.admin('PATCH', '/api/product/snapper', { unit: 'kg' })
  assert.equal((await confirmed(shop, link)).statusCode, 200)
})

test('20 kg wait as well; what is known does not: an account or an email with an order that was handed out, or the shop', async () => {
  await using shop = await waitingShop()
  await shop.admin('PATCH', '/api/product/snapper', { price: 1 })
  const status = async (reply: ReturnType<typeof shop.place>) => (await reply).json().status
  const lines = (snapper: number) => ({ lines: linesOf({ snapper }) })
  assert.equal(await status(shop.place(lines(21))), 'WAITING')
  const small = (await shop.place(lines(20))).json()
  assert.equal(small.status, 'PLACED')
  await shop.admin('PUT', `/api/order/${small._id}/packing`, { lines: [{ position: 1, grams: 20_000 }] })
  for (const state of ['PACKED', 'READY', 'COMPLETED']) await moved(shop, small._id, state)
  const ben = { ...buyer, email: 'ben@example.org' }
  assert.equal(await status(shop.place({ ...lines(21), contact: ben })), 'WAITING')
  assert.equal(
    await status(shop.place({ ...lines(21), contact: { ...buyer, email: 'Ann@Example.org' } })),
    'PLACED',
  )
  await shop.admin('PATCH', '/api/product/snapper', { stock: 50 })
  const order = { ...lines(21), contact: ben, fulfilment: { kind: 'pickup', slot: shop.pickup } }
  const account = await callerOf(shop, 'ben', 'USER')
  assert.equal(
    (await account('POST', '/api/order', order, { 'idempotency-key': 'a' })).json().status,
    'WAITING',
  )
  assert.equal(
    (await shop.admin('POST', '/api/order', order, { 'idempotency-key': 'b' })).json().status,
    'PLACED',
  )
  await rows(shop.deps.db, sql`delete from users where id = 'ben'`)
  const kept = (await shop.admin('GET', '/api/order/waiting')).json().rows
  assert.equal(kept.length, 2, 'what waits for an account goes with it')
})
