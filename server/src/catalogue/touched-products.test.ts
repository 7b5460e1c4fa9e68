import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { caught, common, fieldShop, NOW, send, supplier } from '#server/testing/field.ts'

const MIN = 60_000

for (const [name, open] of testDatabases)
  test(`${name}: links of a box, its excursion and what a phone sends of it read its products again and no others`, async () => {
    await using shop = await fieldShop({ open })
    const { deps } = shop
    const { db, catalogue } = deps
    const ann = await supplier(shop, 'ann', 'Sample Fisher')
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
    await db
      .insert(products)
      .values(
        ['a', 'b', 'd', 'e'].map((id) => ({ id, title: id, categoryId: 'c', priceCents: 100, stock: 9 })),
      )
    assert.equal((await send(ann, caught('ann', 'C-1'))).statusCode, 201)
    await db.insert(boxes).values({ id: 'B-2', head: '00' })
    await db.insert(productBoxes).values({ productId: 'a', boxId: 'C-1', quantity: 9, unit: 'kg' })
    catalogue.clear()
    const told = async (change: () => ReturnType<typeof admin>): Promise<string[]> => {
      const before = (await catalogue.snapshot()).products
      const answer = await change()
      assert.ok(answer.statusCode < 300, answer.body)
      const after = (await catalogue.snapshot()).products
      return after.filter((product, i) => product !== before[i]).map(({ _id }) => _id)
    }
    const link = (box: string, ...ids: string[]) =>
      admin(
        'PUT',
        `/api/box/${box}/products`,
        ids.map((product_id) => ({ product_id, quantity: 5 })),
      )

    assert.deepEqual(await told(() => link('B-2', 'b')), ['b'])
    assert.deepEqual(await told(() => link('B-2', 'd')), ['b', 'd'], 'the one that went, too')

    for (const [i, temperature] of [2, 9, 9, 9, 9].entries()) {
      const time = new Date(NOW.getTime() + i * 10 * MIN).toISOString()
      const place = { latitude: -33.5, longitude: 150.5 }
      const readings = [{ box: 'C-1', iotID: 'L-1', time, ...place, temperature }]
      shop.wait(10 * MIN)
      const answer = await admin('POST', '/api/tracking', { readings })
      assert.equal(answer.json().accepted, 1, answer.body)
    }
    await watchBoxes(deps)
    const [excursion] = (await admin('GET', '/api/excursion?page=1&state=open')).json().rows
    const sale = (offSale: boolean) =>
      admin('POST', `/api/excursion/${excursion.id}/${offSale ? 'withdrawal' : 'return'}`)
    const stockOfA = async () => (await catalogue.snapshot()).product('a').stock
    assert.deepEqual([await told(() => sale(true)), await stockOfA()], [['a'], 0])
    assert.deepEqual([await told(() => sale(false)), await stockOfA()], [['a'], 9])
    await told(() => sale(true))
    const closing = { text: 'Iced again', backOnSale: true }
    assert.deepEqual(await told(() => admin('POST', `/api/excursion/${excursion.id}/closing`, closing)), [
      'a',
    ])
    assert.equal(await stockOfA(), 9)

    const at = new Date(deps.now().getTime() - MIN).toISOString()
    const entry = { ...common('ann', 'C-1'), madeAt: at, sentAt: deps.now().toISOString() }
    const read = { ...entry, kind: 'reading', iotID: 'Ruuvi 884F', temperature: 12 }
    assert.deepEqual(await told(() => send(ann, read)), ['a'])
  })
