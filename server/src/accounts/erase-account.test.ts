import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asc, eq } from 'drizzle-orm'
import { users } from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import { MAIL_QUEUE, queueEmail } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

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
