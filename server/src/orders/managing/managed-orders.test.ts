import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedOrder, OrderDay, SlotSheet } from '@befaqt/domain/api/order-api'
import { marketDate } from '@befaqt/domain/market-time'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders, slotInput } from '#server/testing/orders.ts'

const fisher = { traderID: 'T-1', traderName: 'Sample', companyName: '', boat: '', address: '' }

/** A shop with 3 kg of snapper in each of two boxes. */
async function shopWithBoxes(options: Parameters<typeof shopWithOrders>[0] = {}): Promise<OrderShop> {
  const shop = await shopWithOrders(options)
  for (const boxID of ['BOX-1', 'BOX-2']) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  const links = ['BOX-1', 'BOX-2'].map((boxID) => ({ boxID, quantity: 3 }))
  assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
  return shop
}

const dayOf = (at: string): string => marketDate(Date.parse(at), 'Australia/Sydney')
const readDay = async ({ admin }: OrderShop, day: string): Promise<OrderDay> =>
  (await admin('GET', `/api/order/day?day=${day}`)).json()
const numbers = async ({ admin }: OrderShop, query: string): Promise<string[]> => {
  const reply = await admin('GET', `/api/order/all?${query}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().rows.map(({ number }: { number: string }) => number)
}

for (const [name, open] of testDatabases)
  test(`${name}: the queue goes by slot, and a day says what it sells and what is short`, async () => {
    await using shop = await shopWithBoxes({ open })
    await shop.admin('PUT', '/api/box/BOX-2/products', [{ product_id: 'snapper', quantity: 4 }])
    const { startsAt } = slotInput()
    const later = await shop.newSlot({
      startsAt: new Date(Date.parse(startsAt) + 86_400_000).toISOString(),
      endsAt: new Date(Date.parse(startsAt) + 90_000_000).toISOString(),
    })
    const fulfilment = { kind: 'pickup', slot: later }
    const other = (await shop.place({ lines: linesOf({ ice: 2 }), fulfilment })).json()
    const first = await shop.placed({ snapper: 4 })
    const second = await shop.placed({ snapper: 3, ice: 1 })
    const loss = { product_id: 'snapper', amount: 1_000, reason: 'Fell on the floor' }
    assert.equal((await shop.admin('POST', '/api/box/BOX-2/loss', loss)).statusCode, 201)
    const ended = await shop.placed({ ice: 1 })
    await moved(shop, ended._id, 'CANCELLED')
    assert.deepEqual(await numbers(shop, 'status=open&sort=slot'), [
      first.number,
      second.number,
      other.number,
    ])
    assert.deepEqual(await numbers(shop, `slot=${later}`), [other.number])
    assert.deepEqual(await numbers(shop, `day=${dayOf(startsAt)}&status=CANCELLED`), [ended.number])
    assert.deepEqual(await numbers(shop, `q=${first.number.slice(3)}`), [first.number])
    assert.equal((await numbers(shop, 'q=ann+0400')).length, 4)
    assert.deepEqual(await numbers(shop, 'q=nobody'), [])
    const day = await readDay(shop, dayOf(startsAt))
    assert.deepEqual([day.orders.PLACED, day.orders.CANCELLED, day.grams], [2, 1, 7_000])
    assert.equal(day.revenue, 7 * 3_000 + 500)
    assert.deepEqual(day.short, [
      { product_id: 'snapper', title: 'Snapper', unit: 'kg', needed: 7_000, left: 6_000 },
    ])
    const lines = [
      {
        position: 1,
        grams: 3_900,
        boxes: [
          { boxID: 'BOX-1', amount: 3_000 },
          { boxID: 'BOX-2', amount: 900 },
        ],
      },
    ]
    assert.equal((await shop.admin('PUT', `/api/order/${first._id}/packing`, { lines })).statusCode, 200)
    const after = await readDay(shop, dayOf(startsAt))
    assert.deepEqual([after.grams, after.short[0]?.needed, after.short[0]?.left], [6_900, 3_000, 2_100])
    assert.equal((await readDay(shop, '2020-02-29')).grams, 0)
    for (const bad of [
      '/api/order/day?day=2026-02-30',
      '/api/order/all?status=NEW',
      '/api/order/all?sort=price',
    ])
      assert.equal((await shop.admin('GET', bad)).statusCode, 400, bad)
  })

for (const [name, open] of testDatabases)
  test(`${name}: an order to be packed says who did what, and what each box still has for it`, async () => {
    await using shop = await shopWithBoxes({ open })
    const { _id } = await shop.placed({ snapper: 2 })
    const boxes = [{ boxID: 'BOX-1', amount: 2_000 }]
    const lines = [{ position: 1, grams: 2_000, scale: 'Bench 1', boxes }]
    await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
    const late = await shop.admin('PUT', `/api/order/${_id}/packing`, { lines }, { 'if-match': '"1"' })
    assert.deepEqual([late.statusCode, late.json().error.code], [409, 'version.stale'])
    const other = await shop.placed({ snapper: 1 })
    const read = async (id: string): Promise<ManagedOrder> =>
      (await shop.admin('GET', `/api/order/${id}/manage`)).json()
    const order = await read(_id)
    assert.deepEqual(
      order.weighings.map(({ position, who, scale }) => [position, who, scale]),
      [[1, 'admin Sample', 'Bench 1']],
    )
    assert.deepEqual(
      order.events.map(({ status, who }) => [status, who]),
      [['PLACED', null]],
    )
    const left = ({ boxes }: ManagedOrder) => boxes.map(({ boxID, left }) => [boxID, left])
    assert.deepEqual(
      left(order),
      [
        ['BOX-1', 3_000],
        ['BOX-2', 3_000],
      ],
      'its own boxes can be given back',
    )
    assert.deepEqual(left(await read(other._id)), [
      ['BOX-1', 1_000],
      ['BOX-2', 3_000],
    ])
    assert.equal((await shop.admin('GET', '/api/order/none/manage')).statusCode, 404)
  })

for (const [name, open] of testDatabases)
  test(`${name}: a slot’s sheet has its orders with lines, and shows a key for some boxes no others`, async () => {
    await using shop = await shopWithBoxes({ open })
    const first = await shop.placed({ snapper: 2 })
    const cancelled = await shop.placed({ ice: 1 })
    await moved(shop, cancelled._id, 'CANCELLED')
    const url = `/api/slot/${shop.pickup}/sheet`
    const sheet: SlotSheet = (await shop.admin('GET', url)).json()
    assert.deepEqual(
      sheet.orders.map(({ number, contact, lines }) => [number, contact?.lname, lines.length]),
      [[first.number, buyer.lname, 1]],
    )
    assert.deepEqual(
      sheet.boxes.map(({ boxID }) => boxID),
      ['BOX-1', 'BOX-2'],
    )
    assert.equal((await shop.admin('GET', '/api/slot/none/sheet')).statusCode, 404)
    const asked = { name: 'gate', rights: ['order:write' as const], boxes: ['BOX-2'] }
    const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
    const headers = { authorization: `Bearer ${key}` }
    for (const path of [url, `/api/order/${first._id}/manage`]) {
      const seen: Pick<SlotSheet, 'boxes'> = (await shop.app.inject({ url: path, headers })).json()
      assert.deepEqual(
        seen.boxes.map(({ boxID }) => boxID),
        ['BOX-2'],
        path,
      )
    }
  })

test('orders leave as CSV, a row for each line, without what a spreadsheet would run', async () => {
  await using shop = await shopWithBoxes()
  const contact = { ...buyer, lname: '=HYPERLINK("x")' }
  await shop.place({ lines: linesOf({ snapper: 2, ice: 1 }), contact })
  await shop.placed({ ice: 1 })
  const reply = await shop.admin('GET', '/api/order/export.csv?status=open')
  assert.match(`${reply.headers['content-disposition']}`, /filename="orders-\d{4}-\d\d-\d\d\.csv"/)
  const lines = reply.body.trimEnd().split('\r\n')
  assert.equal(lines.length, 4)
  assert.match(lines[0] ?? '', /^\ufeffnumber,status,placed,/)
  assert.ok(reply.body.includes(`"'=HYPERLINK(""x"")"`))
  assert.equal(
    (await shop.admin('GET', '/api/order/export.csv?status=CANCELLED')).body.split('\r\n').length,
    2,
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: lists of orders name their first three lines, in their order`, async () => {
    await using shop = await shopWithOrders({ open })
    const names = ['Tailor', 'Bream', 'Crab']
    const more = { unit: 'each', categoryId: 'c', priceCents: 100, stock: 9 }
    await shop.deps.db.insert(products).values(names.map((title) => ({ id: title, title, ...more })))
    await shop.placed({ ice: 1 })
    await shop.placed({ Tailor: 1, ice: 1, Crab: 1, Bream: 2 })
    const { rows } = (await shop.admin('GET', '/api/order/all')).json()
    assert.deepEqual(
      rows.map(({ titles, lines }: { titles: string[]; lines: number }) => [titles, lines]),
      [
        [['Tailor', 'Ice', 'Crab'], 4],
        [['Ice'], 1],
      ],
    )
  })
