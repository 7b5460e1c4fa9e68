import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import { asc, eq } from 'drizzle-orm'
import { purge } from '#server/db/retention.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { buyer, linesOf, shopWithOrders } from '#server/testing/orders.ts'
import { orderRetention } from './retention.ts'

test('contacts of guests are deleted a year after the order ended, of named invoices after five', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const now = new Date()
  const order = async (name: string, set: Partial<typeof orders.$inferInsert>, days: number) => {
    const lines = linesOf({ ice: 1 })
    const { _id } = (await shop.place({ lines, contact: { ...buyer, fname: name } })).json()
    const updatedAt = new Date(now.getTime() - days * DAY_MS)
    await db
      .update(orders)
      .set({ ...set, updatedAt })
      .where(eq(orders.id, _id))
  }
  const dear = { status: 'COMPLETED', invoiceNumber: 'INV-1', totalCents: 100_000 } as const
  await order('open', { status: 'READY' }, 400)
  await order('recent', { status: 'COMPLETED' }, 364)
  await order('past', { status: 'COMPLETED' }, 366)
  await order('cancelled', { status: 'CANCELLED' }, 366)
  await order('dear', dear, 1_800)
  await order('cheap', { ...dear, invoiceNumber: 'INV-2', totalCents: 99_999 }, 366)
  await order('dear-past', { ...dear, invoiceNumber: 'INV-3' }, 1_831)
  const user = await callerOf(shop, 'user', 'USER')
  const fulfilment = { kind: 'pickup', slot: shop.pickup }
  const own = { lines: linesOf({ ice: 1 }), contact: { ...buyer, fname: 'user' }, fulfilment }
  const placed = await user('POST', '/api/order', own, { 'idempotency-key': 'own' })
  const ended = { status: 'COMPLETED', updatedAt: new Date(now.getTime() - 4_000 * DAY_MS) } as const
  await db.update(orders).set(ended).where(eq(orders.id, placed.json()._id))

  await purge(db, now, orderRetention)
  const kept = await db
    .select({ name: orderContacts.fname })
    .from(orderContacts)
    .orderBy(asc(orderContacts.fname))
  assert.deepEqual(
    kept.map(({ name }) => name),
    ['dear', 'open', 'recent', 'user'],
  )
  assert.equal((await db.select().from(orders)).length, 8, 'orders stay')
})
