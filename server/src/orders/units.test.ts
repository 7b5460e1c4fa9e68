import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, shopWithOrders } from '#server/testing/orders.ts'

const inBags = (shop: Awaited<ReturnType<typeof shopWithOrders>>) =>
  shop.admin('PATCH', '/api/product/snapper', { unit: 'bag' })

for (const [name, open] of testDatabases) {
  test(`${name}: a box balances in the units it was filled and sold in, whatever the product’s is now`, async () => {
    await using shop = await shopWithOrders({ open })
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'A-1', quantity: 3 }])
    const { _id: id } = await shop.placed({ snapper: 1 })
    const line = { position: 1, grams: 1_000, boxes: [{ boxID: 'A-1', amount: 1_000 }] }
    await shop.admin('PUT', `/api/order/${id}/packing`, { lines: [line] })
    await moved(shop, id, 'PACKED')
    const loss = { product_id: 'snapper', amount: 500, reason: 'fell' }
    assert.equal((await shop.admin('POST', '/api/box/A-1/loss', loss)).statusCode, 201)
    const balance = async (): Promise<unknown> => (await shop.admin('GET', '/api/box/A-1/balance')).json()
    const before = await balance()
    assert.deepEqual(before, [
      { product_id: 'snapper', counted: 'grams', in: 3_000, sold: 1_000, lost: 500, left: 1_500 },
    ])
    const refused = await inBags(shop)
    assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'product.unit_in_use'])
    const { number } = (await shop.admin('GET', `/api/order/${id}/manage`)).json()
    const { message, code: _, ...details } = refused.json().error
    assert.deepEqual(details, {
      product_id: 'snapper',
      boxes: ['A-1'],
      orders: [number],
      holds: 0,
      losses: 1,
    })
    assert.match(message, /box A-1; order BF-.*; 1 recorded loss count in kg/)
    // As a row that was written before, or past the rule:
    await shop.deps.db.update(products).set({ unit: 'bag' }).where(eq(products.id, 'snapper'))
    assert.deepEqual(await balance(), before)
    assert.equal((await shop.admin('POST', '/api/box/A-1/loss', loss)).statusCode, 201, 'still grams')
  })

  test(`${name}: what a box sold by weight takes nothing from what it holds by the piece`, async () => {
    await using shop = await shopWithOrders({ open })
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    const link = (quantity: number) =>
      shop.admin('PUT', '/api/product/snapper/boxes', quantity > 0 ? [{ boxID: 'A-1', quantity }] : [])
    await link(3)
    const { _id: id } = await shop.placed({ snapper: 2 })
    const line = { position: 1, grams: 2_000, boxes: [{ boxID: 'A-1', amount: 2_000 }] }
    await shop.admin('PUT', `/api/order/${id}/packing`, { lines: [line] })
    for (const status of ['PACKED', 'READY', 'COMPLETED']) await moved(shop, id, status)
    await link(0)
    assert.equal((await inBags(shop)).statusCode, 200)
    await link(5)
    assert.equal((await shop.app.inject('/api/product/snapper')).json().stock, 5)
    const { _id: next } = await shop.placed({ snapper: 1 })
    const { boxes } = (await shop.admin('GET', `/api/order/${next}/manage`)).json()
    assert.deepEqual([boxes.length, boxes[0].left], [1, 5])
  })
}

test('a unit is free again when what counted in it is gone; stock alone does not keep it', async () => {
  await using shop = await shopWithOrders()
  const hold = { lines: linesOf({ snapper: 1 }), hold: randomUUID() }
  const held = await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: hold })
  assert.equal(held.statusCode, 201, held.body)
  assert.equal((await inBags(shop)).json().error.holds, 1)
  const csv = `_id,unit\r\nsnapper,bag\r\n`
  const brought = await shop.admin('POST', '/api/product/import?dryRun=1', csv, {
    'content-type': 'text/csv',
  })
  assert.equal(brought.json().error?.code, 'product.unit_in_use', brought.body)
  await shop.app.inject({ method: 'DELETE', url: `/api/order/hold/${held.json()._id}` })
  const { _id: id } = await shop.placed({ snapper: 1 })
  assert.equal((await inBags(shop)).json().error.orders.length, 1)
  await moved(shop, id, 'CANCELLED', { reason: 'Sold out.' })
  assert.equal((await inBags(shop)).statusCode, 200)
  assert.equal(await shop.stockOf('snapper'), 50)
})
