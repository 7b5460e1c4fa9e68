import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS } from '@befaqt/domain/durations'
import { asc, eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { favourites, users } from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import { stockNotices } from '#server/db/schema/shop.ts'
import { MAIL_QUEUE, queueEmail } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { noticeAddress } from './own-notices.ts'

/** Kind and recipient of the emails that wait to be sent. */
async function queued({ deps }: OrderShop): Promise<string[]> {
  const found = await deps.db
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(eq(jobs.queue, MAIL_QUEUE))
    .orderBy(asc(jobs.id))
  return found.map(({ payload }) => Object(payload)).map(({ kind, to }) => `${kind} ${to}`)
}

for (const [name, open] of testDatabases)
  test(`${name}: an owner deletes an account: its person is gone, what was sold stays, and the address is told`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    const ann = await callerOf(shop, 'ann', 'USER')
    const placed = await ann(
      'POST',
      '/api/order',
      { lines: linesOf({ ice: 1 }), contact: buyer, fulfilment: { kind: 'pickup', slot: shop.pickup } },
      { 'idempotency-key': 'once' },
    )
    assert.equal(placed.statusCode, 201, placed.body)
    const { _id, number } = placed.json()
    const refused = await ann('POST', '/api/user/erasure')
    assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'conflict'])
    assert.ok(refused.json().error.message.includes(number))
    assert.equal(await db.$count(users, eq(users.id, 'ann')), 1)

    await moved(shop, _id, 'CANCELLED')
    assert.equal((await ann('POST', '/api/user/email', { email: 'ann.lee@example.org' })).statusCode, 202)
    const content = { subject: 'Do not eat it', heading: '', blocks: [] }
    await queueEmail(db, shop.deps.secrets, { kind: 'order-recalled', to: buyer.email, content }, new Date())
    assert.ok((await queued(shop)).includes(`order-placed ${buyer.email}`))
    assert.equal((await ann('POST', '/api/user/erasure')).statusCode, 204)
    assert.equal(await db.$count(users, eq(users.id, 'ann')), 0)
    assert.equal(await db.$count(orders, eq(orders.id, _id)), 1)
    assert.equal(await db.$count(orderContacts), 0)
    assert.equal((await ann('POST', '/api/user/erasure')).statusCode, 401, 'the session went with it')
    assert.deepEqual(await queued(shop), [`order-recalled ${buyer.email}`, 'account-erased ann@example.org'])
  })

for (const [name, open] of testDatabases)
  test(`${name}: what waits for an address goes with the account that has proved to own it, not with one that claims it`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db, secrets } = shop.deps
    const [ann, ben] = [await callerOf(shop, 'ann', 'USER'), await callerOf(shop, 'ben', 'USER')]
    const confirmedAt = new Date()
    await db.update(users).set({ activatedAt: confirmedAt }).where(eq(users.id, 'ben'))
    assert.equal((await ben('POST', '/api/user/favourites', { products: ['snapper'] })).statusCode, 200)
    const placed = await ben(
      'POST',
      '/api/order',
      { lines: linesOf({ ice: 1 }), contact: buyer, fulfilment: { kind: 'pickup', slot: shop.pickup } },
      { 'idempotency-key': 'for ann' },
    )
    await moved(shop, placed.json()._id, 'CANCELLED')
    await db.delete(jobs)
    const content = { subject: 'It is back', heading: '', blocks: [] }
    const endsAt = new Date(Date.now() + DAY_MS)
    for (const email of ['ann@example.org', 'ben@example.org']) {
      const wish = { id: email, species: 'gemfish', email, address: noticeAddress(secrets, email) }
      await db.insert(stockNotices).values({ ...wish, confirmedAt, endsAt })
      await queueEmail(db, secrets, { kind: 'stock-back', to: email, content }, confirmedAt)
    }
    assert.equal((await ben('POST', '/api/user/erasure')).statusCode, 204)
    assert.deepEqual(await queued(shop), ['stock-back ann@example.org', 'account-erased ben@example.org'])
    assert.equal(await db.$count(favourites), 0)
    assert.equal((await ann('POST', '/api/user/erasure')).statusCode, 204)
    const left = await db.select({ email: stockNotices.email }).from(stockNotices)
    assert.deepEqual(left, [{ email: 'ann@example.org' }])
  })

test('PostgreSQL: who orders while the account is being deleted is told so, and others’ orders are placed', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await shopWithOrders({ open: testPostgres })
  const { db } = shop.deps
  const ann = await callerOf(shop, 'ann', 'USER')
  const fulfilment = { kind: 'pickup', slot: shop.pickup }
  const order = { lines: linesOf({ ice: 1 }), contact: buyer, fulfilment }
  const [begun, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const erasing = db.transaction(async (tx) => {
    await tx.delete(users).where(eq(users.id, 'ann'))
    begun.resolve()
    await waited.promise
  })
  await begun.promise
  const placing = [
    ann('POST', '/api/order', order, { 'idempotency-key': 'hers' }),
    ann('POST', '/api/order/hold', { lines: linesOf({ snapper: 1 }) }),
    shop.place(order),
  ]
  const blocked = () =>
    rows(
      db,
      sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    )
  while ((await blocked()).length === 0) await delay(10)
  waited.resolve()
  await erasing
  const [hers, held, other] = await Promise.all(placing)
  for (const reply of [hers, held])
    assert.deepEqual([reply?.statusCode, reply?.json().error.code], [401, 'auth.required'], reply?.body)
  assert.match(hers?.body ?? '', /deleted in the meantime/)
  assert.equal(other?.statusCode, 201, other?.body)
  assert.equal(await shop.stockOf('ice'), 49)
})

test('an administrator’s account is deleted by another one, and a key has none', async () => {
  await using shop = await shopWithOrders()
  const refused = await shop.admin('POST', '/api/user/erasure')
  assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'conflict'])
  assert.equal((await shop.app.inject({ method: 'POST', url: '/api/user/erasure' })).statusCode, 401)
})

test('a supplier’s account goes, and the boxes stay', async () => {
  await using shop = await shopWithOrders()
  const sam = await callerOf(shop, 'sam', 'SUPPLIER')
  assert.equal((await sam('POST', '/api/user/erasure')).statusCode, 204)
})
