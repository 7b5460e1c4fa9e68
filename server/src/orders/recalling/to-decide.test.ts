import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedOrder, ManagedOrderRow } from '@befaqt/domain/api/order-api'
import type { RecallView } from '@befaqt/domain/api/recall-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const reason = 'It was too warm on the road.'

/** Snapper that comes from these boxes, in kg. */
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

const pack = (shop: OrderShop, id: string, grams: number, boxID?: string, more: object = {}) =>
  shop.admin('PUT', `/api/order/${id}/packing`, {
    lines: [{ position: 1, grams, boxes: boxID ? [{ boxID, amount: grams }] : [], ...more }],
  })
const recall = (shop: OrderShop, boxID: string) => shop.admin('POST', `/api/box/${boxID}/recall`, { reason })
const withdraw = (shop: OrderShop, boxID: string) =>
  shop.admin('POST', `/api/box/${boxID}/recall/withdrawal`, { reason: 'The sensor was wrong.' })
const setSale = (shop: OrderShop, boxID: string, offSale: boolean) =>
  shop.admin('PUT', `/api/box/${boxID}/sale`, { offSale, ...(offSale ? { reason } : {}) })
const managed = async (shop: OrderShop, id: string): Promise<ManagedOrder> =>
  (await shop.admin('GET', `/api/order/${id}/manage`)).json()
/** What the queue says of each order, in the order in which they were placed. */
async function marks(shop: OrderShop, status = 'open'): Promise<unknown[]> {
  const reply = await shop.admin('GET', `/api/order/all?status=${status}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply
    .json()
    .rows.map(({ toDecide }: ManagedOrderRow) => toDecide)
    .reverse()
}
const code = async (reply: Promise<{ statusCode: number; json(): { error?: { code: string } } }>) => {
  const got = await reply
  return got.json().error?.code ?? got.statusCode
}
const mails = ({ deps }: OrderShop, kind: string) =>
  rows(deps.db, sql`select id from jobs where payload->>'kind' = ${kind}`).then(({ length }) => length)

for (const [name, open] of testDatabases) {
  test(`${name}: a recall marks orders packed from the box and those left without fish; withdrawing clears the marks`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10, 'BOX-2': 6 }, { open })
    const [packed, first, second] = [
      await shop.placed({ snapper: 4 }),
      await shop.placed({ snapper: 5 }),
      await shop.placed({ snapper: 3, ice: 1 }),
    ]
    assert.equal((await pack(shop, packed._id, 4_000, 'BOX-1')).statusCode, 200)
    await moved(shop, packed._id, 'PACKED')
    const preview: RecallView = (await shop.admin('GET', '/api/box/BOX-1/recall')).json()
    const concerned = [
      {
        _id: packed._id,
        number: packed.number,
        status: 'PACKED',
        lines: [{ title: 'Snapper', why: 'recalled' }],
      },
      {
        _id: second._id,
        number: second.number,
        status: 'PLACED',
        lines: [{ title: 'Snapper', why: 'short' }],
      },
    ]
    assert.deepEqual(preview.toDecide, concerned, 'named before it is recalled')
    assert.deepEqual(await marks(shop), [null, null, null])
    assert.deepEqual((await recall(shop, 'BOX-1')).json().toDecide, concerned)
    assert.deepEqual(await marks(shop), ['recalled', null, 'short'])
    assert.deepEqual(await marks(shop, 'decide'), ['recalled', 'short'])
    const file = (await shop.admin('GET', '/api/order/export.csv?status=decide')).body
    assert.deepEqual(
      [packed, first, second].map(({ number }) => file.includes(number)),
      [true, false, true],
      'and so in the file of this list',
    )
    assert.deepEqual((await managed(shop, second._id)).toDecide, [{ position: 1, why: 'short' }])
    assert.deepEqual(
      (await managed(shop, first._id)).boxes.map(({ boxID }) => boxID),
      ['BOX-2'],
    )
    await withdraw(shop, 'BOX-1')
    assert.deepEqual(await marks(shop), [null, null, null])
    await setSale(shop, 'BOX-1', true)
    assert.deepEqual(await marks(shop), ['off sale', null, 'short'])
    await setSale(shop, 'BOX-1', false)
    assert.deepEqual(await marks(shop, 'decide'), [])
    assert.equal(await mails(shop, 'order-recalled'), 0, 'withdrawn before it was sent')
  })

  test(`${name}: nothing of a stopped box is packed, ready, or handed out, also what was ready before`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10 }, { open })
    const [ready, weighed] = [await shop.placed({ snapper: 1 }), await shop.placed({ snapper: 1 })]
    for (const { _id } of [ready, weighed]) await pack(shop, _id, 1_000, 'BOX-1')
    await moved(shop, ready._id, 'PACKED')
    await moved(shop, ready._id, 'READY')
    for (const [stop, go, refused] of [
      [() => recall(shop, 'BOX-1'), () => withdraw(shop, 'BOX-1'), 'box.recalled'],
      [() => setSale(shop, 'BOX-1', true), () => setSale(shop, 'BOX-1', false), 'box.off_sale'],
    ] as const) {
      assert.equal((await stop()).statusCode, 200)
      const move = (id: string, status: string) => code(shop.admin('PATCH', `/api/order/${id}`, { status }))
      assert.equal(await move(ready._id, 'COMPLETED'), refused)
      assert.equal(await move(weighed._id, 'PACKED'), refused)
      assert.equal(await code(pack(shop, weighed._id, 900, 'BOX-1')), refused)
      assert.equal((await go()).statusCode, 200)
    }
    await moved(shop, ready._id, 'COMPLETED')
  })

  test(`${name}: what is to be decided is replaced from another box, left out, or cancelled`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10, 'BOX-2': 6 }, { open })
    const [packed, placed] = [await shop.placed({ snapper: 4 }), await shop.placed({ snapper: 3, ice: 2 })]
    await pack(shop, packed._id, 4_000, 'BOX-1')
    await moved(shop, packed._id, 'PACKED')
    assert.equal(
      await code(pack(shop, packed._id, 4_000, 'BOX-2')),
      'order.state',
      'nothing is to be decided',
    )
    await recall(shop, 'BOX-1')
    assert.equal(await code(pack(shop, packed._id, 3_900, 'BOX-2')), 'input.invalid', 'it was invoiced')
    assert.equal((await pack(shop, packed._id, 4_000, 'BOX-2')).statusCode, 200)
    assert.deepEqual(await marks(shop), [null, 'short'], 'the other now lacks what replaced it')
    const [one, two] = await Promise.all(
      ['BOX-1', 'BOX-2'].map(async (id) => (await shop.admin('GET', `/api/box/${id}/balance`)).json()[0]),
    )
    assert.deepEqual([one.sold, one.lost, two.sold, two.left], [0, 4_000, 4_000, 2_000])
    assert.equal(await mails(shop, 'order-replaced'), 1, 'who was told of the recall is told once')
    const url = `/api/order/${placed._id}/left-out`
    const left = await shop.admin('POST', url, { position: 1, reason: 'Its box was recalled.' })
    assert.equal(left.statusCode, 200, left.body)
    assert.deepEqual(
      [left.json().totals.total, left.json().lines[0].leftOut],
      [1_000, 'Its box was recalled.'],
    )
    assert.equal(
      (await shop.admin('POST', url, { position: 1, reason: 'Its box was recalled.' })).statusCode,
      200,
    )
    assert.equal(await mails(shop, 'order-left-out'), 1, 'twice is told once')
    assert.equal(await code(shop.admin('POST', url, { position: 2, reason: 'x' })), 'order.state')
    assert.equal(await code(shop.admin('POST', url, { position: 9, reason: 'x' })), 'input.invalid')
    assert.deepEqual(await marks(shop), [null, null])
    assert.equal(await code(pack(shop, placed._id, 1_000, 'BOX-2')), 'input.invalid')
    assert.equal(await shop.stockOf('snapper'), 50 - 4 - 4, 'three are back, four are lost with their box')
    await moved(shop, placed._id, 'PACKED')
    await moved(shop, placed._id, 'CANCELLED', { reason: 'No' })
    assert.equal(await shop.stockOf('snapper'), 42, 'what was left out does not come back twice')
    await moved(shop, packed._id, 'READY')
    await moved(shop, packed._id, 'COMPLETED')
  })

  test(`${name}: what is replaced although nothing more was for sale leaves no stock below nothing`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 4, 'BOX-2': 6 }, { open })
    await shop.admin('PATCH', '/api/product/snapper', { stock: 5 })
    const { _id } = await shop.placed({ snapper: 4 })
    await pack(shop, _id, 4_000, 'BOX-1')
    await moved(shop, _id, 'PACKED')
    await recall(shop, 'BOX-1')
    assert.equal((await pack(shop, _id, 4_000, 'BOX-2')).statusCode, 200)
    assert.equal(await shop.stockOf('snapper'), 0)
    await moved(shop, _id, 'CANCELLED', { reason: 'No' })
    assert.equal(await shop.stockOf('snapper'), 4, 'what was taken from the other box is there again')
  })

  test(`${name}: what comes from boxes is packed with a box, or with a reason that the shop’s history keeps`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10 }, { open })
    const { _id, link } = await shop.placed({ snapper: 1 })
    assert.equal(await code(pack(shop, _id, 1_000)), 'input.invalid')
    assert.equal((await managed(shop, _id)).boxed[0], 1)
    const why = 'Bought at the auction this morning'
    assert.equal((await pack(shop, _id, 1_000, undefined, { noBox: why })).statusCode, 200)
    const order = await managed(shop, _id)
    assert.deepEqual(order.noBox, [{ position: 1, reason: why }])
    assert.ok(order.events.some(({ reason }) => reason.includes(why)))
    const key = new URL(link).searchParams.get('key')
    const seen = (await shop.app.inject(`/api/order/${_id}?key=${key}`)).body
    assert.ok(!seen.includes(why), 'the buyer does not read it')
    assert.equal((await pack(shop, _id, 1_000, 'BOX-1')).statusCode, 200)
    assert.deepEqual((await managed(shop, _id)).noBox, [])
    await moved(shop, _id, 'PACKED')
  })

  test(`${name}: a counted product that comes from a box can’t be packed without a word`, async () => {
    await using shop = await shopWithBoxes({ 'BOX-1': 10 }, { open })
    await shop.admin('PUT', '/api/product/ice/boxes', [{ boxID: 'BOX-1', quantity: 5 }])
    const { _id } = await shop.placed({ ice: 1 })
    assert.equal(await code(shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })), 'order.state')
    const lines = [{ position: 1, boxes: [{ boxID: 'BOX-1', amount: 1 }] }]
    assert.equal((await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
    await moved(shop, _id, 'PACKED')
  })
}
