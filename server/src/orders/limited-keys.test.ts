import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { type KeyRight, keyRights } from '@befaqt/domain/rights'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, buyer, moved, type OrderShop, shopWithOrders, slotInput } from '#server/testing/orders.ts'

const fisher = { traderID: 'T-1', traderName: 'Sample', companyName: '', boat: '', address: '' }
const NOTE = 'Ring at the blue door'
const TOLD = new RegExp(
  [buyer.email, buyer.phone, buyer.lname, address.street, NOTE, 'I moved away'].join('|'),
)

/** Calls with a key for BOX-1 alone. */
async function limitedCaller({ deps, app }: OrderShop, right: KeyRight) {
  const asked = { name: right, rights: [right], boxes: ['BOX-1'] }
  const { key } = await createApiKey(deps.db, asked, 'test', deps.now())
  return (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, headers: { authorization: `Bearer ${key}` }, ...(payload && { payload }) })
}

/** Orders of snapper (from BOX-1 or BOX-2) and of ice, which comes from no box. */
async function shopWithSales(open: () => ReturnType<(typeof testDatabases)[number][1]>) {
  const shop = await shopWithOrders({ open })
  for (const boxID of ['BOX-1', 'BOX-2']) await shop.admin('POST', '/api/box/registration', { boxID, fisher })
  const links = ['BOX-1', 'BOX-2'].map((boxID) => ({ boxID, quantity: 10 }))
  await shop.admin('PUT', '/api/product/snapper/boxes', links)
  const place = async (product_id: string) => {
    const fulfilment = { kind: 'delivery', slot: shop.delivery, address }
    const reply = await shop.place({ lines: [{ product_id, quantity: 1 }], fulfilment, note: NOTE })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const pack = async (boxID: string) => {
    const order = await place('snapper')
    const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID, amount: 1_000 }] }]
    assert.equal((await shop.admin('PUT', `/api/order/${order._id}/packing`, { lines })).statusCode, 200)
    return order
  }
  const orders = {
    own: await pack('BOX-1'),
    other: await pack('BOX-2'),
    waiting: await place('snapper'),
    ice: await place('ice'),
  }
  return { ...shop, orders }
}

for (const [name, open] of testDatabases)
  test(`${name}: a key for some boxes sees the orders with lines of them, without who bought, and changes no others`, async () => {
    await using shop = await shopWithSales(open)
    const { own, other, waiting, ice } = shop.orders
    const key = await limitedCaller(shop, 'order:write')
    const seen: string[] = []
    const read = async (url: string) => {
      const reply = await key('GET', url)
      assert.equal(reply.statusCode, 200, `${url}: ${reply.body}`)
      seen.push(reply.body)
      return reply
    }
    const { rows, total } = (await read('/api/order/all')).json()
    assert.deepEqual(
      [rows.map((row: OrderView) => row.number).sort(), total],
      [[own.number, waiting.number].sort(), 2],
    )
    const found = async (q: string) => (await read(`/api/order/all?q=${encodeURIComponent(q)}`)).json().total
    assert.deepEqual(
      [await found(buyer.lname), await found(own.number), await found(other.number)],
      [0, 1, 0],
    )
    const csv = (await read('/api/order/export.csv')).body.trimEnd().split('\r\n')
    assert.equal(csv.length, 3, 'a heading and two orders')
    const sheet = (await read(`/api/slot/${shop.delivery}/sheet`)).json()
    assert.equal(sheet.orders.length, 2)
    for (const { _id } of [own, waiting]) {
      await read(`/api/order/${_id}`)
      await read(`/api/order/${_id}/manage`)
      await read(`/api/order/${_id}/boxes`)
    }
    for (const { _id } of [other, ice])
      for (const [method, path, body] of [
        ['GET', ''],
        ['GET', '/manage'],
        ['GET', '/boxes'],
        ['GET', '/invoice.pdf'],
        ['GET', '/origin.pdf'],
        ['PATCH', '', { status: 'CANCELLED' }],
        ['POST', '/cancellation', {}],
        ['POST', '/acceptance', { total: 1 }],
        ['POST', '/payment/check'],
        ['PUT', '/packing', { lines: [{ position: 1, grams: 1, boxes: [] }] }],
      ] as const) {
        const reply = await key(method, `/api/order/${_id}${path}`, body)
        assert.equal(reply.statusCode, 404, `${method} ${path}: ${reply.body}`)
      }
    for (const [method, path, body] of [
      ['PATCH', '', { status: 'CANCELLED' }],
      ['POST', '/cancellation', {}],
      ['POST', '/acceptance', { total: 1 }],
      ['POST', '/payment'],
      ['GET', '/invoice.pdf'],
      ['GET', '/origin.csv'],
    ] as const) {
      const reply = await key(method, `/api/order/${waiting._id}${path}`, body)
      assert.equal(reply.statusCode, 403, `${method} ${path}: ${reply.body}`)
    }
    assert.equal((await key('GET', '/api/order/waiting')).statusCode, 403)
    const lines = [{ position: 1, grams: 900, boxes: [{ boxID: 'BOX-1', amount: 900 }] }]
    const packed = await key('PUT', `/api/order/${waiting._id}/packing`, { lines })
    assert.equal(packed.statusCode, 200, packed.body)
    await read('/api/box/BOX-1/orders')
    seen.push(packed.body, (await key('PATCH', `/api/order/${own._id}`, { status: 'PACKED' })).body)
    await moved(shop, own._id, 'SENT', { reason: 'I moved away' })
    await read(`/api/order/${own._id}/manage`)
    seen.push((await key('POST', '/api/box/BOX-1/recall', { reason: 'Too warm.' })).body)
    await read('/api/box/BOX-1/recall')
    for (const body of seen) assert.equal(TOLD.exec(body)?.[0], undefined, body)
    assert.match((await shop.admin('GET', `/api/order/${own._id}`)).body, TOLD, 'which the shop sees')
  })

/** What a key may do whose right is limited to some boxes; all other routes of these rights refuse it. */
const limitable = [
  /^(GET|POST) \/api\/box/,
  /^PUT \/api\/box\/:boxID\/sale$/,
  /^(GET|POST|PUT) \/api\/manage\/(box|labels|trade)/,
  /^(GET|POST|PUT) \/api\/(tracking|station)/,
  /^GET \/api\/order\/(all|export\.csv|:id\/manage)$/,
  /^PATCH \/api\/order\/:id$/,
  /^PUT \/api\/order\/:id\/packing$/,
  /^GET \/api\/slot\/:id\/sheet$/,
  /^GET \/api\/(product|category)(\/:id\/manage)?$/,
  /^PUT \/api\/(product\/:id\/boxes|box\/:boxID\/products)$/,
]

test('what cannot be limited to boxes refuses a key that is, route by route', async () => {
  await using shop = await shopWithOrders()
  const callers = Object.fromEntries(
    await Promise.all(keyRights.map(async (right) => [right, await limitedCaller(shop, right)] as const)),
  )
  const wide: string[] = []
  for (const { method, url, access } of shop.app.routes) {
    if (typeof access !== 'object' || access.people) continue
    const route = `${method} ${url}`
    const path = url.replaceAll(/:\w+/g, 'none').replace('*', 'none')
    const reply = await callers[access.right]?.(method as 'GET', path)
    if (access.allBoxes) assert.equal(reply?.statusCode, 403, route)
    else wide.push(route)
  }
  assert.deepEqual(
    wide.filter((route) => !limitable.some((pattern) => pattern.test(route))),
    [],
  )
  const order = await limitedCaller(shop, 'order:write')
  const sells = await limitedCaller(shop, 'shop:write')
  const refused = [
    await order('POST', '/api/slot', slotInput()),
    await order('PATCH', `/api/slot/${shop.pickup}`, { closed: true, version: 1 }),
    await order('GET', '/api/order/day'),
    await sells('PATCH', '/api/product/snapper', { price: 1 }),
    await sells('POST', '/api/product/bulk', {}),
  ]
  for (const reply of refused) assert.equal(reply.statusCode, 403, reply.body)
})
