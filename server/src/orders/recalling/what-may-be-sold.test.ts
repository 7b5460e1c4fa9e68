import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ProductView } from '@befaqt/domain/catalogue'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import type { SQL } from 'drizzle-orm'
import { buildApp } from '#server/app.ts'
import { Catalogue } from '#server/catalogue/catalogue.ts'
import { backingOf, sellableUnits } from '#server/catalogue/sellable.ts'
import type { Db } from '#server/db/client.ts'
import { EventFeed } from '#server/db/event-feed.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const reason = 'It was too warm on the road.'

/** Snapper with a stock of 50 kg that comes from these boxes, in kg. */
async function shopWithBoxes(
  boxes: Record<string, number>,
  options: Parameters<typeof shopWithOrders>[0] = {},
) {
  const shop = await shopWithOrders(options)
  const { fisher } = sampleBox()
  for (const boxID of Object.keys(boxes)) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  const links = Object.entries(boxes).map(([boxID, quantity]) => ({ boxID, quantity }))
  assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
  return shop
}

const shown = async ({ app }: OrderShop): Promise<ProductView> =>
  (await app.inject('/api/product/snapper')).json()
const left = async (shop: OrderShop) => {
  const { stock, saleStopped } = await shown(shop)
  return [stock, saleStopped]
}
const setSale = (shop: OrderShop, boxID: string, offSale: boolean) =>
  shop.admin('PUT', `/api/box/${boxID}/sale`, { offSale, ...(offSale ? { reason } : {}) })

/** What hold and order say of `wanted` kg: what is left for the shopper, or that it was taken. */
async function answers(shop: OrderShop, wanted: number): Promise<unknown[]> {
  const lines = linesOf({ snapper: wanted })
  const held = await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: { lines } })
  if (held.statusCode === 201)
    await shop.app.inject({ method: 'DELETE', url: `/api/order/hold/${held.json()._id}` })
  const placed = await shop.place({ lines })
  return [held, placed].map((reply) => reply.json().error?.lines?.[0]?.left ?? reply.statusCode)
}

for (const [name, open] of testDatabases) {
  test(`${name}: recalling the only box stops its sale at once, and withdrawing undoes it`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 20 }, { open })
    assert.deepEqual(await left(shop), [20, false])
    await shop.admin('POST', '/api/box/BOX-1/recall', { reason })
    assert.deepEqual(await left(shop), [0, true])
    assert.deepEqual(await answers(shop, 1), [0, 0])
    const managed = (await shop.admin('GET', '/api/product/snapper/manage')).json()
    assert.deepEqual([managed.stock, managed.status, managed.sellable], [50, 'ACTIVE', 0])
    await shop.admin('POST', '/api/box/BOX-1/recall/withdrawal', { reason: 'The sensor was wrong.' })
    assert.deepEqual(await left(shop), [20, false])
    assert.deepEqual(await answers(shop, 1), [201, 201])
  })

  test(`${name}: a box that is off sale stops its part of the sale without a letter, twice is as once, and goes back`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10, 'BOX-2': 4 }, { open })
    const off = await setSale(shop, 'BOX-1', true)
    assert.deepEqual([off.statusCode, off.json().offSale.reason, off.json().recalled], [200, reason, false])
    const again = await shop.admin('PUT', '/api/box/BOX-1/sale', { offSale: true, reason: 'Another' })
    assert.deepEqual(again.json(), { ...off.json(), changed: false }, 'the first reason holds')
    assert.deepEqual(await left(shop), [4, false])
    assert.deepEqual(await answers(shop, 5), [4, 4])
    assert.equal((await shop.admin('GET', '/api/mail')).json().total ?? 0, 0)
    await setSale(shop, 'BOX-2', true)
    assert.deepEqual([await left(shop), (await shown(shop)).box], [[0, true], null], 'on no card')
    const { offSale, products } = (await shop.app.inject('/api/box/BOX-2/page')).json()
    assert.deepEqual([offSale, products], [true, []], 'said by its page')
    const links = (await shop.admin('GET', '/api/manage/box?q=BOX-2')).json()
    assert.equal(links.rows[0].offSale, true, 'and by the list')
    assert.deepEqual((await shop.admin('GET', '/api/box/BOX-2/sale')).json().offSale.reason, reason)
    for (const boxID of ['BOX-1', 'BOX-2', 'BOX-2']) {
      const back = await setSale(shop, boxID, false)
      assert.deepEqual([back.statusCode, back.json().offSale], [200, null])
    }
    assert.deepEqual(await left(shop), [14, false])
    assert.deepEqual(await answers(shop, 14), [201, 201])
    const changes = (await shop.admin('GET', '/api/history?entity=box&id=BOX-1')).json()
    assert.ok(JSON.stringify(changes).includes(reason))
  })

  test(`${name}: what may be sold follows orders, weights, losses and cancellations, of what is promised, too`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10, 'BOX-2': 8 }, { open })
    const { _id, ...order } = await shop.placed({ snapper: 6 })
    assert.equal(order.status, 'PLACED')
    assert.deepEqual(await left(shop), [12, false])
    const lines = [{ position: 1, grams: 5_000, boxes: [{ boxID: 'BOX-1', amount: 5_000 }] }]
    assert.equal((await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
    assert.deepEqual(await left(shop), [13, false])
    await shop.admin('POST', '/api/box/BOX-2/loss', {
      product_id: 'snapper',
      amount: 3_000,
      reason: 'Trimmed',
    })
    assert.deepEqual(await left(shop), [10, false])
    await setSale(shop, 'BOX-1', true)
    assert.deepEqual(await left(shop), [5, false])
    await shop.placed({ snapper: 4 })
    await setSale(shop, 'BOX-2', true)
    assert.deepEqual(await left(shop), [0, true])
    await setSale(shop, 'BOX-2', false)
    assert.deepEqual(await left(shop), [1, false], 'four of five are promised')
    await moved(shop, _id, 'CANCELLED', { reason: 'No' })
    await setSale(shop, 'BOX-1', false)
    assert.deepEqual(await left(shop), [11, false])
  })

  test(`${name}: what is packed while it is worked out counts once, as promised or as taken`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10 }, { open })
    const { db } = shop.deps
    const { _id } = await shop.placed({ snapper: 4 })
    const lines = [{ position: 1, grams: 4_000, boxes: [{ boxID: 'BOX-1', amount: 4_000 }] }]
    const packing = {
      execute: async (query: SQL) => {
        const found = await db.execute(query)
        await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
        return found
      },
    }
    const backing = await backingOf(packing as Db, ['snapper'])
    assert.equal(sellableUnits(50, backing.get('snapper')), 6)
    assert.deepEqual(await left(shop), [6, false])
  })

  test(`${name}: a recall in one process stops the sale in another at once, and so back`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 20 }, { open })
    const { deps, database, pickup } = shop
    const catalogue = new Catalogue(database, deps.siteFile.market.timeZone)
    const stop = await new EventFeed(database, deps.log).start([catalogue], 3_600_000)
    const other = await buildApp({ ...deps, catalogue })
    const order = async () => {
      const url = '/api/order'
      const payload = {
        lines: linesOf({ snapper: 1 }),
        contact: buyer,
        fulfilment: { kind: 'pickup', slot: pickup },
      }
      const headers = { 'idempotency-key': randomUUID() }
      return (await other.inject({ method: 'POST', url, headers, payload })).statusCode
    }
    const seen = async () => (await other.inject('/api/product/snapper')).json().stock
    const heard = async (change: () => Promise<unknown>) => {
      const changed = new Promise<void>((resolve) => catalogue.onChange(resolve))
      await change()
      await changed
    }
    assert.deepEqual([await seen(), await order(), await seen()], [20, 201, 19])
    await heard(() => shop.admin('POST', '/api/box/BOX-1/recall', { reason }))
    assert.deepEqual([await seen(), await order()], [0, 409])
    await heard(() => shop.admin('POST', '/api/box/BOX-1/recall/withdrawal', { reason: 'Wrong box' }))
    assert.deepEqual([await seen(), await order()], [19, 201])
    await heard(() => setSale(shop, 'BOX-1', true))
    assert.deepEqual([await seen(), await order()], [0, 409])
    await other.close()
    await stop()
  })

  test(`${name}: a box without an amount bounds nothing, unless no box is left that may be sold`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 3, 'BOX-2': 0 }, { open })
    assert.deepEqual(await left(shop), [50, false])
    await setSale(shop, 'BOX-2', true)
    assert.deepEqual(await left(shop), [3, false])
    await shop.admin('POST', '/api/box/BOX-1/recall', { reason })
    assert.deepEqual(await left(shop), [0, true])
    await setSale(shop, 'BOX-2', false)
    assert.deepEqual(await left(shop), [50, false])
    await shop.admin('PUT', '/api/product/snapper/boxes', [])
    assert.deepEqual(await left(shop), [50, false])
  })
}

test('taking off sale asks for a reason and the right, as a recall does', async () => {
  await using shop = await shopWithBoxes({ 'BOX-1': 3 })
  const url = '/api/box/BOX-1/sale'
  for (const body of [{}, { offSale: true }, { offSale: 'yes', reason }, { offSale: true, reason: ' ' }])
    assert.equal((await shop.admin('PUT', url, body)).statusCode, 400, JSON.stringify(body))
  assert.equal((await shop.admin('PUT', '/api/box/NONE/sale', { offSale: true, reason })).statusCode, 404)
  assert.equal(
    (await shop.app.inject({ method: 'PUT', url, payload: { offSale: true, reason } })).statusCode,
    401,
  )
  assert.deepEqual(await left(shop), [3, false])
})
