import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Customer, CustomerList } from '@befaqt/domain/api/desk-api'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { follow } from './projection.ts'
import { sales } from './sales-projection.ts'

const URL = '/api/manage/customer'

/** Places an order and returns its id. */
async function bought(
  shop: OrderShop,
  ask: Caller,
  units: number,
  email = 'ann@example.org',
): Promise<string> {
  const body = {
    lines: linesOf({ ice: units }),
    contact: { ...buyer, email },
    fulfilment: { kind: 'pickup', slot: shop.pickup },
  }
  const reply = await ask('POST', '/api/order', body, { 'idempotency-key': `${Math.random()}` })
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json()._id
}

async function list(shop: OrderShop, query: Record<string, string> = {}): Promise<CustomerList> {
  await follow(shop.deps, sales(shop.deps))
  const reply = await shop.admin('GET', `${URL}?${new URLSearchParams(query)}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

const one = async (shop: OrderShop, id: string): Promise<Customer> =>
  (await shop.admin('GET', `${URL}/${id}`)).json()

const shown = ({ rows }: CustomerList) => rows.map(({ _id, orders, revenue }) => [_id, orders, revenue])

for (const [name, open] of testDatabases)
  test(`${name}: who bought, when and how much, the most first, also after what was bought is cancelled`, async () => {
    await using shop = await shopWithOrders({ open })
    const ann = await callerOf(shop, 'ann', 'USER')
    const bo = await callerOf(shop, 'bo', 'USER')
    await callerOf(shop, 'cy', 'USER')
    await bought(shop, ann, 1)
    await bought(shop, ann, 2)
    const large = await bought(shop, bo, 9)
    await shop.place({ lines: linesOf({ ice: 20 }) })
    const first = await list(shop)
    assert.deepEqual(shown(first), [
      ['bo', 1, 4_500],
      ['ann', 2, 1_500],
    ])
    const [slot] = await rows<{ day: string }>(
      shop.deps.db,
      sql`select to_char(starts_at at time zone 'Australia/Sydney', 'YYYY-MM-DD') as day from slots where id = ${shop.pickup}`,
    )
    assert.deepEqual([first.rows[0]?.last, first.next], [slot?.day, null])
    assert.deepEqual(shown(await list(shop, { q: 'cy sample' })), [['cy', 0, 0]])
    assert.deepEqual(shown(await list(shop, { q: 'ann@example' })), [['ann', 2, 1_500]])

    await moved(shop, large, 'CANCELLED', { reason: 'asked for' })
    assert.deepEqual(shown(await list(shop)), [['ann', 2, 1_500]])
    const found = await one(shop, 'ann')
    assert.deepEqual([found.orders, found.years[0]?.revenue, found.email], [2, 1_500, 'ann@example.org'])
    const own = (await shop.admin('GET', `${URL}/ann/orders?page=1`)).json()
    assert.deepEqual([own.total, own.rows[0].total], [2, 1_000])
    assert.equal((await shop.admin('GET', `${URL}/nobody`)).statusCode, 404)
  })

test('pages go on where the one before ended', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const ann = await callerOf(shop, 'ann', 'USER')
  await bought(shop, ann, 1)
  await list(shop)
  await rows(
    db,
    sql`insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
        select 'c' || i, 'C', 'D', 'c' || i || '@example.org', 'c' || i || '@example.org', '', 'USER', 'ACTIVE', 'none'
        from generate_series(1, 120) i`,
  )
  await rows(
    db,
    sql`insert into sales_sums (what, period, key, orders, grams, pieces, revenue, gst, discounts, coupons, refunds)
        select 'customer', '', 'c' || i, 1, 0, 1, 100 * (i / 3), 0, 0, 0, 0 from generate_series(1, 120) i`,
  )
  const seen: string[] = []
  for (let after = ''; ; ) {
    const page = await list(shop, after === '' ? {} : { after })
    seen.push(...page.rows.map(({ _id }) => _id))
    if (page.next === null) break
    after = page.next
  }
  assert.deepEqual([seen.length, new Set(seen).size], [121, 121])
  assert.equal((await shop.admin('GET', `${URL}?after=x`)).statusCode, 400)
})

test('orders of a guest go to the account that has confirmed the address, once, and to no other', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  await callerOf(shop, 'ann', 'USER')
  const guest: Caller = (method, url, payload, headers) =>
    shop.app.inject({ method, url, ...(headers && { headers }), ...(payload ? { payload } : {}) })
  const his = await bought(shop, guest, 1, 'Ann@Example.org')
  const other = await bought(shop, guest, 1, 'bea@example.org')
  assert.equal((await one(shop, 'ann')).guestOrders, 0, 'the address is only claimed')
  const merge = async () => (await shop.admin('POST', `${URL}/ann/guest-orders`)).json().count
  assert.equal(await merge(), 0)
  await db.update(users).set({ activatedAt: new Date() }).where(eq(users.id, 'ann'))
  assert.equal((await one(shop, 'ann')).guestOrders, 1)
  const twice = await Promise.all([merge(), merge()])
  assert.deepEqual(twice.sort(), [0, 1])
  const owners = await db.select({ id: orders.id, userId: orders.userId }).from(orders)
  assert.deepEqual(
    owners.filter(({ userId }) => userId !== null),
    [{ id: his, userId: 'ann' }],
  )
  assert.deepEqual(shown(await list(shop)), [['ann', 1, 500]])
  assert.equal((await one(shop, 'ann')).guestOrders, 0)
  const { rows: history } = (await shop.admin('GET', '/api/history?entity=user&id=ann')).json()
  assert.match(JSON.stringify(history), /guestOrders/)

  await db.delete(users).where(eq(users.id, 'ann'))
  const contacts = await db.select({ id: orderContacts.orderId }).from(orderContacts)
  assert.deepEqual(contacts, [{ id: other }], 'with the account goes who its orders were for')
})

test('an owner saves a copy and erases for somebody who asked; not staff, and not while an order is under way', async () => {
  await using shop = await shopWithOrders()
  const ann = await callerOf(shop, 'ann', 'USER')
  await callerOf(shop, 'pat', 'USER', ['order:write'])
  const order = await bought(shop, ann, 1)
  const copy = await shop.admin('GET', `${URL}/ann/data`)
  assert.equal(copy.statusCode, 200, copy.body)
  assert.match(copy.body, /ann@example\.org/)
  assert.ok(JSON.parse(copy.body).orders.length === 1)
  assert.equal((await shop.admin('GET', `${URL}/nobody/data`)).statusCode, 404)

  const erase = async (id: string): Promise<number> => (await shop.admin('DELETE', `${URL}/${id}`)).statusCode
  assert.deepEqual([await erase('ann'), await erase('pat'), await erase('admin')], [409, 409, 409])
  await moved(shop, order, 'CANCELLED', { reason: 'asked for' })
  assert.deepEqual([await erase('ann'), await erase('ann')], [204, 404])
  const [kept] = await rows<{ user: string | null; contacts: number }>(
    shop.deps.db,
    sql`select user_id as user, (select count(*)::int from order_contacts) as contacts from orders`,
  )
  assert.deepEqual(kept, { user: null, contacts: 0 })
})

test('customers are for who may see them; their data is an owner’s alone', async () => {
  await using shop = await shopWithOrders()
  await callerOf(shop, 'ann', 'USER')
  const rita = await callerOf(shop, 'rita', 'USER', ['customer:read'])
  const pat = await callerOf(shop, 'pat', 'USER', ['order:write'])
  const uma = await callerOf(shop, 'uma', 'USER', ['user:write'])
  const status = async (ask: Caller, ...call: Parameters<Caller>): Promise<number> =>
    (await ask(...call)).statusCode
  for (const url of [URL, `${URL}/ann`, `${URL}/ann/orders?page=1`])
    assert.deepEqual([await status(rita, 'GET', url), await status(pat, 'GET', url)], [200, 403], url)
  for (const ask of [rita, pat, uma]) {
    assert.equal(await status(ask, 'GET', `${URL}/ann/data`), 403)
    assert.equal(await status(ask, 'DELETE', `${URL}/ann`), 403)
  }
  assert.deepEqual(
    [
      await status(rita, 'POST', `${URL}/ann/guest-orders`),
      await status(uma, 'POST', `${URL}/ann/guest-orders`),
    ],
    [403, 200],
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: what a search finds is read in parts, each customer once, also where the last one is gone, and a thousand at most`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    const make = (from: number, until: number) =>
      db.execute(sql`
        insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
        select 'made' || n, 'Many', 'Sample', 'n' || n || '@example.org', 'n' || n || '@example.org', '', 'USER', 'ACTIVE', 'none'
        from generate_series(${from}::int, ${until}::int) n`)
    await make(1, 120)
    await db.execute(sql`
      insert into sales_sums (what, period, key, orders, grams, pieces, revenue, gst, discounts, coupons, refunds)
      select 'customer', '', 'made' || n, 1, 0, 1, n % 3, 0, 0, 0, 0 from generate_series(1, 90) n`)
    const read = async (query: Record<string, string>): Promise<CustomerList> =>
      (await shop.admin('GET', `${URL}?${new URLSearchParams({ q: 'many', ...query })}`)).json()
    const first = await read({})
    assert.deepEqual([first.rows.length, first.isCut], [50, undefined])
    const [last] = first.rows.slice(-1)
    await db.delete(users).where(eq(users.id, `${last?._id}`))
    const second = await read({ after: `${first.next}` })
    const third = await read({ after: `${second.next}` })
    assert.deepEqual([second.rows.length, third.next], [50, null])
    const all = [...first.rows, ...second.rows, ...third.rows]
    assert.equal(new Set(all.map(({ _id }) => _id)).size, 120, 'nobody is left out')
    const bought = all.map(({ revenue }) => revenue)
    assert.deepEqual(
      bought,
      bought.toSorted((a, b) => b - a),
    )
    assert.equal((await shop.admin('GET', `${URL}?q=many&after=x`)).statusCode, 400)
    await make(121, 1_130)
    assert.equal((await read({})).isCut, true)
    assert.equal((await read({ q: 'n7@example.org' })).rows.length, 1)
  })
