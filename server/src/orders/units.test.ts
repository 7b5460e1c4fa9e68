import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { MIGRATIONS } from '#server/db/schema-version.ts'
import { made } from '#server/testing/coupons.ts'
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

  test(`${name}: what a buyer saw by the kilogram is not sold as so many bags, whatever it costs`, async () => {
    await using shop = await shopWithOrders({ open })
    const asked = (unit: string) => [{ product_id: 'snapper', quantity: 2, unit }]
    const hold = (unit: string) =>
      shop.app.inject({
        method: 'POST',
        url: '/api/order/hold',
        payload: { lines: asked(unit), hold: randomUUID() },
      })
    const byKilo = { lines: asked('kg'), expectedTotal: 6_000 }
    assert.equal((await inBags(shop)).statusCode, 200)
    const now = [{ product_id: 'snapper', price: 3_000, discount: 0, unit: 'bag' }]
    for (const reply of [await shop.place(byKilo), await hold('kg')]) {
      const { code, message, ...details } = reply.json().error
      assert.deepEqual([reply.statusCode, code], [409, 'price.changed'], reply.body)
      assert.equal(message, 'Some products are sold by another unit now.')
      assert.deepEqual(details, { lines: now })
    }
    await made(shop, 'five', { amount: 50 })
    const checked = await shop.app.inject({
      method: 'POST',
      url: '/api/coupon/check',
      payload: { code: 'FIVE', lines: asked('kg') },
    })
    assert.equal(checked.json().error?.code, 'price.changed', checked.body)
    assert.equal(await shop.stockOf('snapper'), 50)
    assert.equal((await hold('bag')).statusCode, 201)
    assert.equal((await shop.place({ lines: asked('bag') })).statusCode, 201)
    assert.equal((await shop.place({ lines: linesOf({ snapper: 2 }) })).statusCode, 201, 'as before')
    for (const unit of ['', 'Bag ']) {
      await shop.deps.db.update(products).set({ unit }).where(eq(products.id, 'snapper'))
      assert.equal(
        (await shop.place({ lines: asked(unit) })).statusCode,
        201,
        `as an old row has it: ${unit}`,
      )
    }
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
    assert.deepEqual([boxes.length, boxes[0].left, boxes[0].counted], [1, 5, 'pieces'])
  })

  test(`${name}: dozens and pieces of one product are two balances, of which one takes nothing from the other`, async () => {
    await using shop = await shopWithOrders({ open })
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    const link = (quantity: number) =>
      shop.admin('PUT', '/api/product/ice/boxes', quantity > 0 ? [{ boxID: 'A-1', quantity }] : [])
    await link(4)
    const { _id: id } = await shop.placed({ ice: 3 })
    const packing = { lines: [{ position: 1, boxes: [{ boxID: 'A-1', amount: 3 }] }] }
    assert.equal((await shop.admin('PUT', `/api/order/${id}/packing`, packing)).statusCode, 200)
    for (const status of ['PACKED', 'READY', 'COMPLETED']) await moved(shop, id, status)
    await link(0)
    assert.equal((await shop.admin('PATCH', '/api/product/ice', { unit: 'dozen' })).statusCode, 200)
    await link(5)
    assert.equal((await shop.app.inject('/api/product/ice')).json().stock, 5)
    assert.deepEqual((await shop.admin('GET', '/api/box/A-1/balance')).json(), [
      { product_id: 'ice', counted: 'pieces', in: 0, sold: 3, lost: 0, left: -3 },
      { product_id: 'ice', counted: 'dozens', in: 5, sold: 0, lost: 0, left: 5 },
    ])
    const { _id: next } = await shop.placed({ ice: 4 })
    const all = { lines: [{ position: 1, boxes: [{ boxID: 'A-1', amount: 4 }] }] }
    const packed = await shop.admin('PUT', `/api/order/${next}/packing`, all)
    assert.equal(packed.statusCode, 200, packed.body)
  })

  test(`${name}: grams that were lost take nothing from what a box holds in bags, and bags back nothing by weight`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db, catalogue } = shop.deps
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'A-1', quantity: 3 }])
    await shop.admin('POST', '/api/box/A-1/loss', { product_id: 'snapper', amount: 500, reason: 'fell' })
    const stock = async (): Promise<number> => {
      catalogue.clear()
      return (await shop.app.inject('/api/product/snapper')).json().stock
    }
    assert.equal(await stock(), 2.5)
    // Past the rule, since a loss keeps the unit:
    await rows(db, sql`update product_boxes set unit = 'bag', quantity = 5`)
    assert.equal(await stock(), 0, 'nobody knows what a bag weighs')
    const { _id: id } = await shop.placed({ ice: 1 })
    assert.equal((await shop.admin('GET', `/api/order/${id}/manage`)).statusCode, 200)
    await db.update(products).set({ unit: 'bag' }).where(eq(products.id, 'snapper'))
    assert.equal(await stock(), 5)
  })

  test(`${name}: an upgrade gives amounts without a unit that of their product, and none is written without`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    for (const table of [sql`product_boxes`, sql`box_losses`])
      await rows(db, sql`alter table ${table} alter column unit drop not null`)
    await rows(
      db,
      sql`insert into product_boxes (product_id, box_id, quantity, unit)
          values ('snapper', 'A-1', 3, null), ('ice', 'A-1', 2, 'each')`,
    )
    const lost = sql`insert into box_losses (box_id, product_id, amount, reason, who) values ('A-1', 'ice', 1, 'x', 'x')`
    await rows(db, lost)
    const migration = await readFile(join(MIGRATIONS, '0038_units-of-amounts.sql'), 'utf8')
    for (const statement of migration.split('--> statement-breakpoint')) await rows(db, sql.raw(statement))
    const units = await rows<{ unit: string }>(
      db,
      sql`select unit from product_boxes union all select unit from box_losses order by unit`,
    )
    assert.deepEqual(
      units.map(({ unit }) => unit),
      ['bag', 'each', 'kg'],
    )
    await assert.rejects(rows(db, lost))
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
