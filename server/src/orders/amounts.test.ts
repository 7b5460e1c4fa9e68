import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, shopWithOrders } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: parts of a kilogram are held, ordered, packed and given back, to the gram`, async () => {
    await using shop = await shopWithOrders({ open })
    await shop.admin('POST', '/api/box/registration', { boxID: 'A-1', fisher: sampleBox().fisher })
    const link = (quantity: number) =>
      shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'A-1', quantity }])
    await link(3.001)
    assert.equal((await shop.app.inject('/api/product/snapper')).json().stock, 3, 'in its steps')
    assert.equal((await shop.admin('GET', '/api/box/A-1/balance')).json()[0].in, 3_001)
    await link(3)
    const hold = { lines: linesOf({ snapper: 2.75 }), hold: randomUUID() }
    assert.equal(
      (await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: hold })).statusCode,
      201,
    )
    const more = await shop.place({ lines: linesOf({ snapper: 0.5 }) })
    assert.deepEqual(more.json().error.lines, [{ product_id: 'snapper', wanted: 0.5, left: 0.25 }])
    const order = await shop.placed({ snapper: 0.25 })
    const [ordered] = order.lines
    assert.deepEqual([ordered?.quantity, ordered?.orderedGrams, ordered?.total], [0.25, 250, 750])
    assert.equal(await shop.stockOf('snapper'), 49.75)
    const line = { position: 1, grams: 240, boxes: [{ boxID: 'A-1', amount: 240 }] }
    await shop.admin('PUT', `/api/order/${order._id}/packing`, { lines: [line] })
    assert.equal((await moved(shop, order._id, 'PACKED')).totals.total, 720)
    await moved(shop, order._id, 'CANCELLED', { reason: 'Closed.' })
    assert.equal(await shop.stockOf('snapper'), 50)
  })

  test(`${name}: what is not in the steps of its product is refused by name, and nothing is taken`, async () => {
    await using shop = await shopWithOrders({ open })
    const hold = (quantities: Record<string, unknown>) =>
      shop.app.inject({
        method: 'POST',
        url: '/api/order/hold',
        payload: {
          lines: Object.entries(quantities).map(([product_id, quantity]) => ({ product_id, quantity })),
        },
      })
    for (const [quantity, why] of [
      [0.0001, 'quantity must have at most three decimals'],
      [0, 'quantity must be more than 0'],
      [-1, 'quantity must be more than 0'],
      [1e9, 'quantity must be at most 1000000'],
      ['1,5', 'quantity: write a point, as in 1.5 for one and a half'],
      [null, 'quantity must be a number'],
    ] as const) {
      const reply = await hold({ snapper: quantity })
      const [field] = reply.json().error.fields
      assert.deepEqual([reply.statusCode, field], [400, { path: 'lines[0].quantity', message: why }])
    }
    for (const [lines, left] of [
      [{ snapper: 0.3 }, 0.25],
      [{ snapper: 0.1 }, 0],
      [{ ice: 1.5 }, 1],
    ] as const) {
      const [[product_id = '', wanted] = []] = Object.entries(lines)
      const refused = await shop.place({ lines: linesOf({ [product_id]: wanted ?? 0 }) })
      assert.equal(refused.statusCode, 409)
      assert.deepEqual(refused.json().error.lines, [{ product_id, wanted, left, why: 'step' }])
      assert.match(refused.json().error.message, /sold in other steps/)
    }
    assert.deepEqual([await shop.stockOf('snapper'), await shop.stockOf('ice')], [50, 50])
  })
}

test('a step that is made coarser refuses what was held finer, leaves orders alone, and can be undone', async () => {
  await using shop = await shopWithOrders()
  await shop.admin('PATCH', '/api/product/snapper', { step: 0.1 })
  const hold = randomUUID()
  const lines = linesOf({ snapper: 0.3 })
  const held = () => shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: { lines, hold } })
  assert.equal((await held()).statusCode, 201)
  const before = await shop.placed({ snapper: 0.7 })
  assert.equal((await shop.admin('PATCH', '/api/product/snapper', { step: 0.5 })).statusCode, 200)
  const refused = await shop.place({ lines, hold })
  assert.deepEqual(refused.json().error.lines, [{ product_id: 'snapper', wanted: 0.3, left: 0, why: 'step' }])
  const order = (await shop.admin('GET', `/api/order/${before._id}/manage`)).json()
  assert.deepEqual([order.lines[0].quantity, order.totals.total], [0.7, 2_100])
  assert.equal(await shop.stockOf('snapper'), 49.3)
  assert.equal((await shop.app.inject('/api/product/snapper')).json().stock, 49)
  await shop.admin('PATCH', '/api/product/snapper', { step: 0.1 })
  assert.equal((await shop.place({ lines, hold })).statusCode, 201)
  assert.equal(await shop.stockOf('snapper'), 49)
})

test('less than a step is out of stock, and no stopped sale', async () => {
  await using shop = await shopWithOrders()
  await shop.admin('PATCH', '/api/product/snapper', { stock: 0.2 })
  const { stock, saleStopped } = (await shop.app.inject('/api/product/snapper')).json()
  assert.deepEqual([stock, saleStopped], [0, false])
  assert.equal(await shop.stockOf('snapper'), 0.2)
})
