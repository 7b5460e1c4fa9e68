import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

const TIMES = ['infinity', '-infinity', '0044-03-15 BC', '290000-01-01']
const AMOUNTS = ['NaN', 'Infinity', '-Infinity']

for (const [name, open] of testDatabases)
  test(`${name}: a row with invalid times or amounts is in every list with the others, and can be corrected`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await callerOf(shop, 'other', 'USER')
    for (const id of ['a', 'b'])
      await db.insert(categories).values({ id, title: id, titleKey: id, shelfPos: '1' })
    for (const id of ['p', 'q']) await db.insert(products).values({ id, title: id, categoryId: 'a' })
    await db.insert(boxes).values({ id: 'BOX-1', head: 'h' })
    await db.insert(productBoxes).values({ productId: 'p', boxId: 'BOX-1', quantity: 5, unit: 'kg' })
    await admin('PATCH', '/api/product/q', { stock: 3 })
    for (const [i, damaged] of TIMES.entries()) {
      const time = sql`${damaged}::timestamptz`
      await rows(db, sql`update products set created_at = ${time}, updated_at = ${time} where id = 'p'`)
      await rows(db, sql`update categories set created_at = ${time}, updated_at = ${time} where id = 'a'`)
      await rows(db, sql`update users set created_at = ${time}, updated_at = ${time} where id = 'other'`)
      const amount = AMOUNTS[i % AMOUNTS.length]
      await rows(db, sql`update product_boxes set created_at = ${time}, quantity = ${amount}::numeric`)
      for (const [url, ids] of [
        ['/api/product', ['p', 'q']],
        ['/api/product?sort=updated', ['p', 'q']],
        ['/api/category', ['a', 'b']],
        ['/api/category?sort=updated', ['a', 'b']],
        ['/api/user/all', ['admin', 'other']],
        ['/api/manage/box', ['BOX-1']],
      ] as const) {
        const list = await admin('GET', url)
        assert.equal(list.statusCode, 200, `${url} ${damaged}: ${list.body}`)
        const found: { _id?: string; boxID?: string }[] = list.json().rows ?? list.json()
        assert.deepEqual(found.map(({ _id, boxID }) => _id ?? boxID).sort(), [...ids], url)
      }
      shop.deps.catalogue.clear()
      assert.equal((await admin('GET', '/api/product/p')).json().title, 'p')
      const managed = (await admin('GET', '/api/product/p/manage')).json()
      assert.deepEqual([managed.updatedAt, managed.boxes], [null, [{ boxID: 'BOX-1', quantity: null }]])
      assert.equal((await admin('GET', '/api/category/a/manage')).json().updatedAt, null)
      await rows(db, sql`update changes set happened_at = ${time}`)
      const history = await admin('GET', '/api/history?entity=product')
      assert.deepEqual([history.statusCode, history.json().rows[0]?.happenedAt], [200, null], history.body)
      assert.equal((await admin('GET', '/api/product/export.csv')).body.split('\r\n').length, 4)
    }
    const mended = (await admin('PATCH', '/api/product/p', { stock: 7 })).json()
    assert.ok(Date.parse(mended.updatedAt) > 0)
    assert.ok(Date.parse((await admin('PATCH', '/api/category/a', { icon: 'fish' })).json().updatedAt) > 0)
  })

test('a list with an unknown sort key comes in its default order', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  for (const url of ['/api/product', '/api/category', '/api/user/all'])
    for (const sort of ['constructor', '__proto__', 'nothing'])
      assert.equal((await admin('GET', `${url}?sort=${sort}`)).statusCode, 200, `${url} ${sort}`)
})
