import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const BOX_KG = 15

/** What somebody does next; numbers choose among what there is. */
const packing = fc.record({
  act: fc.constant('pack' as const),
  which: fc.nat(),
  grams: fc.integer({ min: 1, max: 9_000 }),
})
const moving = fc.record({
  act: fc.constant('move' as const),
  which: fc.nat(),
  to: fc.constantFrom('PACKED', 'READY', 'COMPLETED', 'CANCELLED', 'CANCELLED'),
})
const step = fc.oneof(
  fc.record({ act: fc.constant('hold' as const), snapper: fc.nat(20), ice: fc.nat(20), slot: fc.boolean() }),
  fc.record({ act: fc.constant('order' as const), snapper: fc.nat(9), ice: fc.nat(9), held: fc.boolean() }),
  packing,
  packing,
  moving,
  moving,
  fc.record({ act: fc.constant('restock' as const), add: fc.nat(10) }),
  fc.record({ act: fc.constant('lose' as const), grams: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ act: fc.constant('expire' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What every walk begins with, so that each kind of step succeeds in all of them. */
const beginning: readonly Step[] = [
  { act: 'hold', snapper: 0, ice: 0, slot: true },
  { act: 'order', snapper: 0, ice: 0, held: true },
  { act: 'pack', which: 0, grams: 950 },
  { act: 'move', which: 0, to: 'PACKED' },
]

/** A shop with one box of snapper, and what the test knows of it. */
type Walk = { shop: OrderShop; orders: string[]; hold: string | undefined; put: number }

/** Kilograms in steps of a quarter: the usual step. */
const quarters = (n: number): number => (n * 3 + 1) / 4

async function walk({ shop, ...state }: Walk, next: Step): Promise<Partial<Walk> & { status: number }> {
  const id = 'which' in next ? (state.orders[next.which % Math.max(1, state.orders.length)] ?? 'none') : ''
  switch (next.act) {
    case 'hold': {
      const lines = linesOf({ snapper: quarters(next.snapper), ice: next.ice + 1 })
      const payload = {
        lines,
        ...(next.slot ? { slot: shop.pickup, contact: buyer } : {}),
        ...(state.hold ? { hold: state.hold } : {}),
      }
      const reply = await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload })
      return { status: reply.statusCode, ...(reply.statusCode === 201 ? { hold: reply.json()._id } : {}) }
    }
    case 'order': {
      const lines = linesOf({ snapper: quarters(next.snapper), ice: next.ice + 1 })
      const reply = await shop.place({ lines, ...(next.held && state.hold ? { hold: state.hold } : {}) })
      const orders = reply.statusCode === 201 ? [...state.orders, reply.json()._id] : state.orders
      return { status: reply.statusCode, orders }
    }
    case 'pack': {
      const boxes = [{ boxID: 'BOX-1', amount: next.grams }]
      const lines = [{ position: 1, grams: next.grams, boxes }]
      return { status: (await shop.admin('PUT', `/api/order/${id}/packing`, { lines })).statusCode }
    }
    case 'move':
      return { status: (await shop.admin('PATCH', `/api/order/${id}`, { status: next.to })).statusCode }
    case 'restock': {
      const stock = (await shop.stockOf('snapper')) + next.add
      const reply = await shop.admin('PATCH', '/api/product/snapper', { stock })
      return { status: reply.statusCode, put: state.put + next.add }
    }
    case 'lose': {
      const loss = { product_id: 'snapper', amount: next.grams, reason: 'Trimmed' }
      return { status: (await shop.admin('POST', '/api/box/BOX-1/loss', loss)).statusCode }
    }
    case 'expire':
      await rows(shop.deps.db, sql`update holds set expires_at = now() - interval '1 second'`)
      return { status: 200 }
  }
}

/** What is for sale, held and sold adds up, to the gram, to what was put in, and the box to what it held. */
async function check({ shop, put, orders }: Walk): Promise<void> {
  const [sums] = await rows<{ stock: number; held: number; sold: number; ice: number; soldIce: number }>(
    shop.deps.db,
    sql`select (select stock * 1000 from products where id = 'snapper')::int as stock,
          (select stock from products where id = 'ice')::int as ice,
          (select coalesce(sum(quantity) * 1000, 0)::int from hold_lines l join holds h on h.id = l.hold_id
            where h.expires_at > now() and product_id = 'snapper') as held,
          (select coalesce(sum(quantity) * 1000, 0)::int from order_lines l join orders o on o.id = l.order_id
            where o.status <> 'CANCELLED' and product_id = 'snapper') as sold,
          (select coalesce(sum(quantity), 0)::int from order_lines l join orders o on o.id = l.order_id
            where o.status <> 'CANCELLED' and product_id = 'ice') as "soldIce"`,
  )
  assert.ok(sums)
  const available = sums.stock - sums.held
  assert.equal(available + sums.held + sums.sold, put * 1_000)
  assert.ok(available >= 0, 'no more is held than there is')
  assert.equal(sums.ice + sums.soldIce, 50)
  const [box] = (await shop.admin('GET', '/api/box/BOX-1/balance')).json()
  assert.equal(box.in - box.sold - box.lost, box.left)
  assert.ok(box.left >= 0 && box.in === BOX_KG * 1_000)
  let packed = 0
  for (const id of orders) {
    const order: OrderView = (await shop.admin('GET', `/api/order/${id}`)).json()
    for (const line of order.lines) packed += line.boxes.reduce((sum, { amount }) => sum + amount, 0)
    assert.equal(
      order.totals.total,
      order.lines.reduce((sum, { total }) => sum + total, 0),
    )
    if (order.status === 'CANCELLED') assert.deepEqual(order.lines[0]?.boxes, [])
  }
  assert.equal(packed, box.sold)
}

for (const [name, open] of testDatabases)
  test(`${name}: holds, orders, weights, cancellations, restocks and losses in any order keep stock and boxes balanced`, async () => {
    const seen: Record<string, number> = {}
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 36, size: 'max' }),
      async (steps) => {
        await using shop = await shopWithOrders({ open })
        await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher: sampleBox().fisher })
        await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: BOX_KG }])
        let state: Walk = { shop, orders: [], hold: undefined, put: 50 }
        for (const next of [...beginning, ...steps]) {
          const { status, ...change } = await walk(state, next)
          assert.ok([200, 201, 404, 409].includes(status), `${next.act}: ${status}`)
          const did = `${next.act} ${status < 300}`
          seen[did] = (seen[did] ?? 0) + 1
          state = { ...state, ...change }
          await check(state)
        }
      },
    )
    // A walk takes seconds, and as many to be shortened by a step.
    await fc.assert(property, { numRuns: name === 'embedded' ? 5 : 2, endOnFailure: true })
    for (const act of ['hold', 'order', 'pack', 'move']) assert.ok(seen[`${act} true`], `no ${act} succeeded`)
  })

test('an order is announced to the shop’s pages where they would show another stock', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const announced = async () =>
    rows(db, sql`select count(*)::int as n from events where kind = 'catalogue.changed'`)
  const before = async (stock: number) => {
    await db.update(products).set({ stock }).where(eq(products.id, 'ice'))
    return announced()
  }
  const plenty = await before(49)
  const { _id } = await shop.placed({ ice: 2 })
  await moved(shop, _id, 'CANCELLED')
  assert.deepEqual(await announced(), plenty, 'from 49 to 47 and back')
  const few = await before(20)
  await shop.placed({ ice: 1 })
  assert.notDeepEqual(await announced(), few, 'from 20 to 19')
})
