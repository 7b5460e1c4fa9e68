import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { moved, shopWithOrders } from '#server/testing/orders.ts'

test('an order is announced to the shop’s pages where they would show another stock', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const announced = async () =>
    rows(db, sql`select count(*)::int as n from events where kind = 'catalogue.changed'`)
  const before = async (stock: number) => {
    await db.update(products).set({ stock }).where(eq(products.id, 'ice'))
    return announced()
  }
  const plenty = await before(49)
  const { _id } = await shop.placed({ ice: 2 })
  await moved(shop, _id, 'CANCELLED')
  assert.deepEqual(await announced(), plenty, 'from 49 to 47 and back')
  const few = await before(20)
  await shop.placed({ ice: 1 })
  assert.notDeepEqual(await announced(), few, 'from 20 to 19')
})
