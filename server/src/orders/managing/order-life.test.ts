import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fulfilmentKinds, type OrderState, orderStates } from '@befaqt/domain/order-states'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { jobs } from '#server/db/schema/jobs.ts'
import { orders } from '#server/db/schema/orders.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { address, linesOf, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

/** What the shop may make of an order, apart from the table: state, kind where it matters, and the email that follows. */
const allowed: Record<string, string> = {
  'PLACED PACKED': '',
  'PLACED CANCELLED': 'order-cancelled',
  'PACKED READY pickup': 'order-ready',
  'PACKED SENT delivery': 'order-sent',
  'PACKED CANCELLED': 'order-cancelled',
  'READY COMPLETED': '',
  'READY CANCELLED': 'order-cancelled',
  'SENT COMPLETED': '',
}

/** Two lines of ice, which is not weighed. */
async function orderOf(shop: OrderShop, kind: (typeof fulfilmentKinds)[number]) {
  const fulfilment = kind === 'pickup' ? { kind, slot: shop.pickup } : { kind, slot: shop.delivery, address }
  const reply = await shop.place({ lines: linesOf({ ice: 1, snapper: 1 }), fulfilment })
  assert.equal(reply.statusCode, 201, reply.body)
  const { _id: id, link } = reply.json()
  const lines = [{ position: 2, grams: 1_000 }]
  assert.equal((await shop.admin('PUT', `/api/order/${id}/packing`, { lines })).statusCode, 200)
  return { id, path: `/api/order/${id}`, query: new URL(link).search }
}

const put = ({ deps: { db } }: OrderShop, id: string, status: OrderState) =>
  db.update(orders).set({ status }).where(eq(orders.id, id))

const statusOf = async ({ deps: { db } }: OrderShop, id: string) =>
  (await db.select().from(orders).where(eq(orders.id, id)))[0]?.status

for (const kind of fulfilmentKinds)
  test(`${kind}: the shop makes the moves that there are, with their emails; every other is refused with those there are`, async () => {
    await using shop = await shopWithOrders()
    const { id, path } = await orderOf(shop, kind)
    const { db } = shop.deps
    for (const from of orderStates)
      for (const to of orderStates) {
        await put(shop, id, from)
        const [{ last } = { last: 0 }] = await db
          .select({ last: sql<number>`coalesce(max(id), 0)` })
          .from(jobs)
        const reply = await shop.admin('PATCH', path, { status: to, reason: 'As the test asks' })
        const email = allowed[`${from} ${to}`] ?? allowed[`${from} ${to} ${kind}`]
        const sent = (await db.select().from(jobs).where(gt(jobs.id, last)).orderBy(asc(jobs.id)))
          .filter(({ queue }) => queue === MAIL_QUEUE)
          .map(({ payload }) => payload.kind)
        if (email !== undefined) {
          assert.equal(reply.statusCode, 200, `${from} ${to}: ${reply.body}`)
          assert.deepEqual([await statusOf(shop, id), sent.join()], [to, email], `${from} ${to}`)
          continue
        }
        const moves = orderStates.filter(
          (other) => `${from} ${other}` in allowed || `${from} ${other} ${kind}` in allowed,
        )
        const { code, message, ...details } = reply.json().error
        assert.deepEqual([reply.statusCode, code], [409, 'order.state'], `${from} ${to}`)
        assert.equal(message, `This order is ${from}: it can’t become ${to}.`)
        assert.deepEqual([details.status, details.moves], [from, moves])
        assert.deepEqual([await statusOf(shop, id), sent], [from, []])
      }
  })

test('a buyer cancels what is placed, and makes no other move', async () => {
  await using shop = await shopWithOrders()
  const { id, path, query } = await orderOf(shop, 'pickup')
  for (const from of orderStates) {
    await put(shop, id, from)
    const cancel = await shop.app.inject({ method: 'POST', url: `${path}/cancellation${query}`, payload: {} })
    if (from === 'PLACED') {
      assert.deepEqual([cancel.statusCode, cancel.json().status], [200, 'CANCELLED'])
      continue
    }
    assert.deepEqual([cancel.statusCode, cancel.json().error.moves], [409, []], from)
    for (const status of orderStates) {
      const moved = await shop.app.inject({ method: 'PATCH', url: `${path}${query}`, payload: { status } })
      assert.equal(moved.statusCode, 401, status)
    }
  }
})

test('what is done within a state is done in these states alone, and refused in words in the others', async () => {
  await using shop = await shopWithOrders()
  const { id, path, query } = await orderOf(shop, 'pickup')
  const other = await shop.newSlot({})
  const line = { position: 2, grams: 1_000 }
  const acts = [
    {
      in: ['PLACED'], // once it is packed, only boxes about which there is something to decide are replaced
      refused: 'its weights can’t change',
      act: () => shop.admin('PUT', `${path}/packing`, { lines: [line] }),
    },
    {
      in: ['PLACED'],
      refused: 'nothing can be left out of it',
      act: (state: OrderState) =>
        shop.admin('POST', `${path}/left-out`, { position: 1, reason: `Sold out: ${state}` }),
    },
    {
      in: ['PLACED'],
      refused: 'its total is settled',
      act: () =>
        shop.app.inject({ method: 'POST', url: `${path}/acceptance${query}`, payload: { total: 1 } }),
    },
    {
      in: ['PLACED', 'PACKED', 'READY'],
      refused: 'its time can’t change',
      act: async () => {
        const { slotId } = (await shop.deps.db.select().from(orders).where(eq(orders.id, id)))[0] ?? {}
        return shop.admin('PUT', `${path}/slot`, { slot: slotId === other ? shop.pickup : other })
      },
    },
  ]
  for (const { in: states, refused, act } of acts)
    for (const state of orderStates) {
      await put(shop, id, state)
      const reply = await act(state)
      const error = reply.json().error
      if (states.includes(state)) {
        const isDone = reply.statusCode === 200 || error?.code === 'price.changed'
        assert.ok(isDone, `${state}: ${refused}: ${reply.body}`)
        continue
      }
      assert.deepEqual([reply.statusCode, error.code, error.status], [409, 'order.state', state])
      assert.equal(error.message, `This order is ${state}: ${refused}.`)
    }
})
