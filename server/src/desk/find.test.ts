import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { eq, sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { type Db, rows } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { callerOf, owner } from '#server/testing/caller.ts'
import { placedOrder } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { explaining } from '#server/testing/explaining.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { find } from './routes.ts'

const urlOf = (q: string): string => `/api/manage/desk/found?${new URLSearchParams({ q })}`

async function found({ admin }: OrderShop, q: string): Promise<FoundAtDesk> {
  const reply = await admin('GET', urlOf(q))
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** What was found, by how it is named. */
const namesOf = ({ orders, products, boxes, people }: FoundAtDesk) => ({
  orders: orders.map(({ number }) => number),
  products: products.map(({ title }) => title),
  boxes: boxes.map(({ boxID }) => boxID),
  people: people.map(({ email }) => email),
})
const nothing = { orders: [], products: [], boxes: [], people: [] }

for (const [name, open] of testDatabases)
  test(`${name}: orders, products, boxes and people are found by any word or number`, async () => {
    await using shop = await shopWithOrders({ open })
    const { number } = await placedOrder(shop)
    const other = await placedOrder(shop)
    await callerOf(shop, 'zoe', 'USER')

    assert.deepEqual(namesOf(await found(shop, number)), { ...nothing, orders: [number] })
    assert.deepEqual((await found(shop, number.slice(-3))).orders[0]?.number, number)
    assert.deepEqual((await found(shop, 'LEE ánn')).orders, [
      { _id: other.id, number: other.number, status: 'PLACED', buyer: 'Ann Lee' },
      { ...(await found(shop, number)).orders[0] },
    ])
    assert.deepEqual(namesOf(await found(shop, 'ann@example')).orders, [other.number, number])
    const snapper = await found(shop, 'snap')
    assert.deepEqual(namesOf(snapper), { ...nothing, products: ['Snapper'], boxes: ['BOX-1'] })
    assert.deepEqual(namesOf(await found(shop, 'box-1')).boxes, ['BOX-1'])
    assert.deepEqual(namesOf(await found(shop, 'zoe')), { ...nothing, people: ['zoe@example.org'] })
    const buys = async (q: string) => (await found(shop, q)).people.map((person) => person.buys)
    assert.deepEqual(await buys('zoe'), [false])
    await shop.deps.db.update(orders).set({ userId: 'zoe' }).where(eq(orders.id, other.id))
    assert.deepEqual(await buys('zoe'), [true])
    assert.deepEqual(namesOf(await found(shop, 'zoe snapper')), nothing, 'all words')
  })

test('of a word that more orders have than are shown, the newest are found, the newest first', async () => {
  await using shop = await shopWithOrders()
  const numbers: string[] = []
  for (let i = 0; i < 7; i++) numbers.push((await placedOrder(shop)).number)
  assert.deepEqual(namesOf(await found(shop, 'lee')).orders, numbers.slice(2).toReversed())
})

test('of what rights do not open nothing is found and nothing counted', async () => {
  await using shop = await shopWithOrders()
  const { number } = await placedOrder(shop)
  const keeper = await callerOf(shop, 'kim', 'USER', ['shop:write'])
  const packer = await callerOf(shop, 'pat', 'USER', ['order:write'])
  const seen = async (call: typeof keeper, q: string) => namesOf((await call('GET', urlOf(q))).json())
  assert.deepEqual(await seen(keeper, number), nothing)
  assert.deepEqual(await seen(keeper, 'snap'), { ...nothing, products: ['Snapper'] })
  assert.deepEqual(await seen(packer, number), { ...nothing, orders: [number] })
  assert.deepEqual(await seen(packer, 'kim'), nothing)
  const reader = await callerOf(shop, 'rae', 'USER', ['customer:read'])
  assert.deepEqual(await seen(reader, 'kim'), { ...nothing, people: ['kim@example.org'] })
  const counted = async (call: typeof keeper) => (await call('GET', '/api/manage/desk/waiting')).json().orders
  assert.deepEqual([await counted(keeper), await counted(packer)], [0, 1])
})

const harmless = ['%', '_', '%%%', '___', '\\', "'; drop table users --", '(((', '𝒜𝒜𝒜']

test('signs that mean something to a database find nothing, and a search has bounds', async () => {
  await using shop = await shopWithOrders()
  await placedOrder(shop)
  for (const q of harmless) assert.deepEqual(namesOf(await found(shop, q)), nothing, JSON.stringify(q))
  for (const q of ['', '   ', 'x'.repeat(MAX_SEARCH + 1), 'a\0b'])
    assert.equal((await shop.admin('GET', urlOf(q))).statusCode, 400, JSON.stringify(q))
  assert.equal((await shop.admin('GET', '/api/manage/desk/found')).statusCode, 400)
  for (let n = 0; n < 8; n++) await callerOf(shop, `tim${n}`, 'USER')
  assert.deepEqual(
    (await found(shop, 'tim')).people.map(({ name }) => name),
    ['tim0', 'tim1', 'tim2', 'tim3', 'tim4'].map((id) => `${id} Sample`),
  )
})

test('nobody but staff finds anything at the desk', async () => {
  await using shop = await shopWithOrders()
  const { key } = await createApiKey(
    shop.deps.db,
    { name: 'Scale', rights: ['order:write'] },
    'admin',
    new Date(),
  )
  const asKey = await shop.app.inject({ url: urlOf('ann'), headers: { authorization: `Bearer ${key}` } })
  const asUser = await (await callerOf(shop, 'ann', 'USER'))('GET', urlOf('ann'))
  const asSupplier = await (await callerOf(shop, 'bob', 'SUPPLIER'))('GET', urlOf('ann'))
  const asNobody = await shop.app.inject(urlOf('ann'))
  assert.deepEqual(
    [asKey, asUser, asSupplier, asNobody].map(({ statusCode }) => statusCode),
    [403, 403, 403, 401],
  )
})

const MANY = 5_000

/** Many orders, products, boxes and people, each with a name of its own and one that all have. */
async function fill(db: Db): Promise<void> {
  await rows(
    db,
    sql`insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
        select 'u' || n, 'Common', 'Person' || n, n || '@x.example', n || '@x.example', '04' || n, 'USER', 'ACTIVE', ''
        from generate_series(1, ${MANY}) n`,
  )
  await rows(
    db,
    sql`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents, tolerance_percent,
          delivery_cents, total_cents, created_at)
        select 'o' || n, 'BF-2020-' || lpad(n::text, 6, '0'), 'COMPLETED', 'pickup', s.id, s.starts_at, 1, 1, 0, 1,
          now() - n * interval '1 minute'
        from generate_series(1, ${MANY}) n, (select id, starts_at from slots limit 1) s`,
  )
  await rows(
    db,
    sql`insert into order_contacts (order_id, fname, lname, email, phone)
        select 'o' || n, 'Common', 'Buyer' || n, n || '@y.example', '04' || n from generate_series(1, ${MANY}) n`,
  )
  await rows(
    db,
    sql`insert into products (id, title, category_id)
        select 'p' || n, 'Common thing' || n, c.id from generate_series(1, ${MANY}) n, (select id from categories limit 1) c`,
  )
  await rows(
    db,
    sql`insert into boxes (id, count, head, species, trader)
        select 'MANY-' || n, 1, repeat('0', 64), 'Common species' || n, 'Common' from generate_series(1, ${MANY}) n`,
  )
  await rows(db, sql`analyze`)
}

const asked = [
  'thing17',
  'common',
  'person4711',
  'BF-2020-004711',
  '4711',
  'MANY-4711',
  'species12 common',
  'co',
  'zzz',
]

for (const [name, open] of testDatabases)
  test(`${name}: whatever is looked for, no table that grows is read whole`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await fill(db)
    const plans: string[] = []
    for (const q of asked) await find(explaining(db, plans), owner, q)
    assert.ok(plans.length >= 4 * asked.length, String(plans.length))
    for (const plan of plans)
      assert.doesNotMatch(plan, /Seq Scan on (orders|order_contacts|products|boxes|box_search|users)\b/)
    assert.deepEqual(namesOf(await find(db, owner, 'thing17')).products[0], 'Common thing17')
    assert.ok(namesOf(await find(db, owner, '4711')).orders.includes('BF-2020-004711'))
  })
