import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderBox } from '@befaqt/domain/api/box-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { addRecords } from '#server/boxes/records/add-records.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

/** Adds an assessment to the box. */
const assess = ({ deps }: OrderShop, freshnessIndex: number) =>
  changeCatalogue(
    deps,
    (tx) => {
      const at = new Date().toISOString()
      const data = { freshnessIndex, time: at, conf_iot: 1, conf_img: 1, conf_enose: 1, txHash: null }
      const fact = { kind: 'freshness' as const, at, by: 'test', data, changesFreshness: false }
      return addRecords(tx, deps, 'BOX-1', [fact])
    },
    ({ onCards }) => onCards,
  )

test('an order shows its boxes as they were when it was packed, to its readers alone', async () => {
  await using shop = await shopWithOrders()
  const { admin } = shop
  await admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher: sampleBox().fisher })
  await admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 4 }])
  const { _id, link } = await shop.placed({ snapper: 1 })
  const url = `/api/order/${_id}/boxes?key=${new URL(link).searchParams.get('key')}`
  const boxes = async () => (await shop.app.inject(url)).json()
  await assess(shop, 0.2)
  const [expected, ...others] = await boxes()
  assert.deepEqual([expected.boxID, expected.soldAt, expected.expectedFor, others], ['BOX-1', null, [1], []])
  assert.deepEqual([expected.freshness.word, expected.freshness.stars], ['excellent', 5], 'as on its card')
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
  assert.equal((await admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
  const [before] = await boxes()
  assert.deepEqual([before.boxID, before.soldAt, before.freshness.stars], ['BOX-1', null, 5])
  assert.deepEqual([before.expectedFor, (await boxes()).length], [[], 1], 'chosen, no more expected')
  await assess(shop, 0.6)
  assert.equal((await boxes())[0].freshness.stars, 4, 'as it is, until it is packed')

  const { events } = await moved(shop, _id, 'PACKED')
  await assess(shop, 1)
  const [sold] = await boxes()
  const packedAt = events.find(({ status }) => status === 'PACKED')?.happenedAt
  assert.deepEqual([sold.soldAt, sold.freshness.stars, sold.freshness.word], [packedAt, 4, 'good'])
  for (const foreign of [`/api/order/${_id}/boxes`, `${url}x`, '/api/order/%00/boxes'])
    assert.equal((await shop.app.inject(foreign)).statusCode, 404, foreign)
})

test('until a line is packed its order names the box that its card shows, and none once that is recalled, or nothing comes from a box', async () => {
  await using shop = await shopWithOrders()
  const { admin } = shop
  for (const boxID of ['BOX-1', 'BOX-2'])
    await admin('POST', '/api/box/registration', { boxID, fisher: sampleBox().fisher })
  await admin('PUT', '/api/product/snapper/boxes', [
    { boxID: 'BOX-1', quantity: 4 },
    { boxID: 'BOX-2', quantity: 4 },
  ])
  await assess(shop, 0.2)
  const { _id, link } = await shop.placed({ ice: 1, snapper: 1 })
  const url = `/api/order/${_id}/boxes?key=${new URL(link).searchParams.get('key')}`
  const named = async (): Promise<[string, number[]][]> =>
    (await shop.app.inject(url)).json().map((box: OrderBox) => [box.boxID, box.expectedFor])
  assert.deepEqual(await named(), [['BOX-1', [2]]])
  const product = (await shop.app.inject('/api/product/snapper')).json()
  assert.equal(product.box.boxID, 'BOX-1')
  await admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm.' })
  assert.deepEqual(await named(), [['BOX-2', [2]]])
  await admin('PUT', '/api/box/BOX-2/sale', { offSale: true, reason: 'Warm on the road.' })
  assert.deepEqual(await named(), [])
  await admin('PUT', '/api/box/BOX-2/sale', { offSale: false, reason: 'It was the sensor.' })
  assert.deepEqual(await named(), [['BOX-2', [2]]])
  const lines = [{ position: 2, grams: 1_000, noBox: 'From the counter.' }]
  assert.equal((await admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
  assert.deepEqual(await named(), [], 'packed from no box')
})
