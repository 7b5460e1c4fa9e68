import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { orderContacts, slots } from '#server/db/schema/orders.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { amend, amendedAs, type Order, ordered, refused, seen } from '#server/testing/amending.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const calendar = async ({ app }: OrderShop, { path, query }: Order): Promise<string> =>
  (await app.inject(`${path}/time.ics${query}`)).body.replaceAll('\r\n ', '')

for (const [name, open] of testDatabases) {
  test(`${name}: pick-up becomes delivery and pick-up again, with time, address, calendar, emails and states`, async () => {
    const came: EmailMessage[] = []
    const mailer = { send: async (mail: EmailMessage) => void came.push(mail), close: async () => undefined }
    await using shop = await shopWithOrders({ open, deps: { mailer } })
    const order = await ordered(shop, { snapper: 2 })
    const mailed = async (): Promise<string> => {
      const log = { warn: () => undefined, error: () => undefined }
      await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), log, new AbortController().signal)
      return came.at(-1)?.text ?? ''
    }
    const takenOf = async (): Promise<[number | undefined, number | undefined]> => {
      const { rows } = (await shop.admin('GET', '/api/slot/all')).json()
      const orders = new Map<string, number>(
        rows.map((row: { _id: string; orders: number }) => [row._id, row.orders]),
      )
      return [orders.get(shop.pickup), orders.get(shop.delivery)]
    }
    const brought = { kind: 'delivery', slot: shop.delivery, address, expectedTotal: 6_000 }
    const both = await Promise.all([1, 2].map(() => amend(shop, order, brought)))
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409], 'from two tabs')
    const there = await seen(shop, order)
    assert.deepEqual(
      [there.kind, there.slot._id, there.address, there.version, there.totals.delivery],
      ['delivery', shop.delivery, address, 2, 0],
    )
    assert.match(
      there.events.at(-1)?.reason ?? '',
      /^Changed\. Delivery instead of pick-up\. Moved from .* to .*\.$/,
    )
    assert.deepEqual(await takenOf(), [0, 1])
    assert.match(await calendar(shop, order), /LOCATION:1 Bank St/)
    const letter = await mailed()
    assert.match(letter, /Delivery instead of pick-up/)
    assert.doesNotMatch(letter, /1 Bank St/, 'nothing that was typed')

    const own = { ...order, version: 2 }
    const fetched = await amendedAs(shop, own, { kind: 'pickup', slot: shop.pickup })
    assert.deepEqual([fetched.kind, fetched.slot._id, fetched.address], ['pickup', shop.pickup, null])
    const [contact] = await shop.deps.db
      .select()
      .from(orderContacts)
      .where(eq(orderContacts.orderId, order.id))
    assert.equal(contact?.address, null, 'where somebody lives is not kept')
    assert.deepEqual(await takenOf(), [1, 0])
    assert.doesNotMatch(await calendar(shop, order), /1 Bank St/)
    assert.match(await mailed(), /Pick-up instead of delivery/)
    await shop.admin('PUT', `${order.path}/packing`, { lines: [{ position: 1, grams: 2_000 }] })
    assert.ok((await moved(shop, order.id, 'PACKED')).moves.includes('READY'))
  })
}

test('another way needs a time and an address that go with it, before the cut-off, or nothing changes', async () => {
  await using shop = await shopWithOrders()
  const order = await ordered(shop, { ice: 1 })
  const refusedOf = async (more: object) => {
    const { code, reason, fields, why } = await refused(shop, order, { lines: { 1: 2 }, ...more })
    return [code, reason ?? why ?? fields[0].path]
  }
  const kind = 'delivery'
  const slot = shop.delivery
  assert.deepEqual(await refusedOf({ kind, address }), ['input.invalid', 'slot'])
  assert.deepEqual(await refusedOf({ kind, slot }), ['input.invalid', 'address'])
  assert.deepEqual(await refusedOf({ kind, slot: shop.pickup, address }), ['slot.unavailable', 'area'])
  const far = { ...address, postcode: '3000' }
  assert.deepEqual(await refusedOf({ kind, slot, address: far }), ['slot.unavailable', 'area'])
  assert.deepEqual(await refusedOf({ kind: 'pickup', address }), ['input.invalid', 'address'])
  assert.deepEqual(await refusedOf({ slot }), ['slot.unavailable', 'area'], 'a time alone says nothing of it')
  const where = { kind, slot, address }
  const delivery = await ordered(shop, { ice: 1 }, { fulfilment: where })
  const stays = await refused(shop, delivery, { kind: 'pickup', slot })
  assert.deepEqual([stays.code, stays.reason], ['slot.unavailable', 'area'])
  const same = await amendedAs(shop, order, { kind: 'pickup' })
  assert.equal(same.version, 1, 'as it is')
  const cutOffAt = new Date(Date.now() - 1_000)
  await shop.deps.db.update(slots).set({ cutOffAt }).where(eq(slots.id, shop.pickup))
  assert.deepEqual(await refusedOf(where), ['order.state', 'late'])
  const now = await seen(shop, order)
  assert.deepEqual([now.version, now.kind, await shop.stockOf('ice')], [1, 'pickup', 48])
})
