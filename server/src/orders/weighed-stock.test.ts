import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = catchProv ?? assert.fail('no catch')

type Links = Record<string, Record<string, number>>

/** Boxes with a catch and what is linked to them in kg: more than they hold is not noticed there. */
async function shopWith(links: Links, options: Parameters<typeof shopWithOrders>[0] = {}) {
  const shop = await shopWithOrders(options)
  const bream = { id: 'bream', title: 'Bream', categoryId: 'c', priceCents: 2_000, unit: 'kg', stock: 50 }
  await shop.deps.db.insert(products).values({ ...bream, origin: 'Australia' })
  const boxIDs = new Set(Object.values(links).flatMap((of) => Object.keys(of)))
  for (const boxID of boxIDs) {
    await shop.admin('POST', '/api/box/registration', { boxID, fisher })
    assert.equal((await shop.admin('POST', `/api/box/${boxID}/catch`, caught)).statusCode, 201)
  }
  for (const [product, of] of Object.entries(links)) {
    const wanted = Object.entries(of).map(([boxID, quantity]) => ({ boxID, quantity }))
    assert.equal((await shop.admin('PUT', `/api/product/${product}/boxes`, wanted)).statusCode, 200)
  }
  return shop
}

const weighed = async (shop: OrderShop, boxID: string, grams: number) => {
  const answer = await shop.admin('POST', `/api/box/${boxID}/weight`, { of: 'box', grams })
  assert.equal(answer.statusCode, 201, answer.body)
}

/** What lists show of each product. */
const shown = async ({ app }: OrderShop, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await app.inject(`/api/product/${id}`)).json().stock))

const hold = (shop: OrderShop, kilos: Record<string, number>) =>
  shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: { lines: linesOf(kilos) } })

const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode

for (const [name, open] of testDatabases) {
  test(`${name}: of a weighed box no more can be ordered than it holds, of all its products together`, async () => {
    await using shop = await shopWith({ snapper: { 'BOX-1': 30 }, bream: { 'BOX-1': 30 } }, { open })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [30, 30])
    await weighed(shop, 'BOX-1', 41_000)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [30, 30])
    await shop.placed({ snapper: 25 })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [5, 16], 'the other product is read again, too')
    const over = await shop.place({ lines: linesOf({ bream: 16.25 }) })
    assert.deepEqual([over.statusCode, over.json().error.lines[0].left], [409, 16])
    assert.equal(
      await statusOf(shop.place({ lines: linesOf({ snapper: 3, bream: 13.25 }) })),
      409,
      'in one order',
    )
    assert.equal(await statusOf(hold(shop, { snapper: 3, bream: 13.25 })), 409)
    assert.equal(await statusOf(hold(shop, { snapper: 3 })), 201)
    const beside = await shop.place({ lines: linesOf({ bream: 13.25 }) })
    assert.equal(beside.json().error?.lines[0].left, 13, 'what others hold is not there')
    assert.equal(await statusOf(shop.place({ lines: linesOf({ bream: 13 }) })), 201)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [3, 3], 'holds don’t show')
  })

  test(`${name}: what one box lacks may come from another, and a box that was never weighed bounds its own products`, async () => {
    const links = { snapper: { 'BOX-1': 20, 'BOX-2': 20 }, bream: { 'BOX-2': 20, 'BOX-3': 5 } }
    await using shop = await shopWith(links, { open })
    await weighed(shop, 'BOX-1', 10_000)
    await weighed(shop, 'BOX-2', 10_000)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [20, 15])
    await shop.placed({ bream: 12 })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [13, 3])
    await shop.placed({ snapper: 10 })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [3, 3])
    await shop.admin('PUT', '/api/box/BOX-2/sale', { offSale: true, reason: 'Smells.' })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [0, 0])
    await shop.admin('PUT', '/api/box/BOX-2/sale', { offSale: false })
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [3, 3])
  })

  test(`${name}: a weight that is recorded later, below what is ordered, leaves nothing to order, and a loss counts`, async () => {
    await using shop = await shopWith({ snapper: { 'BOX-1': 30 }, bream: { 'BOX-1': 30 } }, { open })
    const { _id } = await shop.placed({ snapper: 20 })
    await weighed(shop, 'BOX-1', 15_000)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [0, 0])
    await weighed(shop, 'BOX-1', 25_000)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [5, 5])
    const loss = { product_id: 'bream', amount: 2_000, reason: 'Trimmed' }
    assert.equal(await statusOf(shop.admin('POST', '/api/box/BOX-1/loss', loss)), 201)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [3, 3])
    const packing = { lines: [{ position: 1, grams: 21_000, boxes: [{ boxID: 'BOX-1', amount: 21_000 }] }] }
    assert.equal(await statusOf(shop.admin('PUT', `/api/order/${_id}/packing`, packing)), 200)
    assert.deepEqual(
      await shown(shop, 'snapper', 'bream'),
      [2, 2],
      'it was packed with more than was ordered',
    )
    assert.equal(await statusOf(shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })), 200)
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [2, 2], 'what was promised is sold')
    assert.equal(
      await statusOf(shop.admin('PATCH', `/api/order/${_id}`, { status: 'CANCELLED', reason: 'x' })),
      200,
    )
    assert.deepEqual(await shown(shop, 'snapper', 'bream'), [23, 23], 'it is back')
  })

  test(`${name}: orders that come at once for products of one chain of boxes get no gram too much`, async () => {
    const links = { snapper: { 'BOX-1': 50 }, bream: { 'BOX-1': 50, 'BOX-2': 50 } }
    await using shop = await shopWith(links, { open })
    await weighed(shop, 'BOX-1', 7_000)
    await weighed(shop, 'BOX-2', 6_000)
    const asked = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? { snapper: 1 } : { bream: 1 }))
    const answers = await Promise.all(
      asked.map(async (kilos, i) =>
        i % 3 === 0 ? hold(shop, kilos) : shop.place({ lines: linesOf(kilos) }),
      ),
    )
    const taken = answers.filter(({ statusCode }) => statusCode === 201).length
    assert.equal(taken, 13, answers.map(({ statusCode }) => statusCode).join())
  })
}
