import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Waiting } from '@befaqt/domain/api/today-api'
import { MAX_WAITING } from '@befaqt/domain/limits'
import { excursions } from '#server/db/schema/excursions.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { packedOrder, placedOrder, said } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const waitingOf = async ({ admin }: OrderShop): Promise<Waiting> => {
  const reply = await admin('GET', '/api/manage/desk/waiting')
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

for (const [name, open] of testDatabases)
  test(`${name}: what waits for staff is counted as it comes and goes, and no further than is shown`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    assert.deepEqual(await waitingOf(shop), { orders: 0, complaints: 0, excursions: 0, emails: 0 })
    await placedOrder(shop)
    assert.equal((await waitingOf(shop)).orders, 1)
    const order = await packedOrder(shop)
    assert.equal((await waitingOf(shop)).orders, 1, 'what is packed is not to be packed')
    const { _id: complaint } = await said(shop, order)
    assert.equal((await waitingOf(shop)).complaints, 1)
    const reader = await callerOf(shop, 'rae', 'USER', ['order:read'])
    const seen = (await reader('GET', '/api/manage/desk/waiting')).json()
    assert.deepEqual([seen.orders, seen.complaints], [1, 1], 'who reads orders reads what their buyers say')
    await shop.admin('PATCH', `/api/complaint/${complaint}`, { act: 'answer', words: 'Sorry.', refund: 100 })
    assert.equal((await waitingOf(shop)).complaints, 0)
    const failed = { queue: MAIL_QUEUE, payload: {}, failedAt: new Date() }
    await db.insert(jobs).values([failed, { ...failed, queue: 'other' }, { ...failed, failedAt: null }])
    assert.equal((await waitingOf(shop)).emails, 1, 'neither other work nor what is still tried')
    await db.insert(jobs).values(Array.from({ length: MAX_WAITING + 20 }, () => failed))
    assert.equal((await waitingOf(shop)).emails, MAX_WAITING)
    await db.insert(excursions).values({ id: 'E-1', boxId: 'BOX-1', kind: 'warm', since: new Date() })
    assert.equal((await waitingOf(shop)).excursions, 1)
    await db.update(excursions).set({ closedAt: new Date() })
    assert.equal((await waitingOf(shop)).excursions, 0, 'somebody closed it')
  })

test('what waits is for staff alone', async () => {
  await using shop = await shopWithOrders()
  const user = await callerOf(shop, 'ann', 'USER')
  const supplier = await callerOf(shop, 'bob', 'SUPPLIER')
  const nobody = await shop.app.inject('/api/manage/desk/waiting')
  const codes = [
    await user('GET', '/api/manage/desk/waiting'),
    await supplier('GET', '/api/manage/desk/waiting'),
  ]
  assert.deepEqual([nobody.statusCode, ...codes.map(({ statusCode }) => statusCode)], [401, 403, 403])
})
