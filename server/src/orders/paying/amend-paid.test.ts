import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { payments } from '#server/db/schema/payments.ts'
import { type ByCard, type CardShop, cardShop, packed, paid } from '#server/testing/card-shop.ts'

const amend = async ({ app }: CardShop, { path, query }: ByCard, version: number, more: object) => {
  const reply = await app.inject({
    method: 'POST',
    url: `${path}/amendment${query}`,
    headers: { 'idempotency-key': randomUUID() },
    payload: { version, ...more },
  })
  const { error, ...order } = reply.json()
  return { status: reply.statusCode, error, order }
}
const snapper = (quantity: number) => ({ lines: [{ position: 1, quantity }] })

test('an order is changed within what its card holds, and less is charged where it is less', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard({ snapper: 2 })
  await shop.page(order)
  const paying = await amend(shop, order, 1, snapper(1))
  assert.deepEqual([paying.status, paying.error.code, paying.error.why], [409, 'order.state', 'card'])
  assert.equal((await shop.seen(order)).amendable, 'card')

  const url = await paid(shop, order)
  const more = await amend(shop, order, 1, snapper(3))
  assert.deepEqual([more.status, more.error.code, more.error.amount], [409, 'order.unpaid', 2_400])
  assert.match(more.error.message, /holds \$66\.00 .* come to \$90\.00/)
  const far = new Date(Date.now() + 6.5 * 86_400_000).toISOString()
  const slot = await shop.newSlot({
    startsAt: far,
    endsAt: new Date(Date.parse(far) + 3_600_000).toISOString(),
    cutOffAt: far,
  })
  const late = await amend(shop, order, 1, { slot })
  assert.deepEqual([late.status, late.error.fields?.[0]?.path], [400, 'slot'], 'later than the card holds it')
  assert.deepEqual([await shop.stockOf('snapper'), (await shop.seen(order)).version], [48, 1])

  assert.equal((await amend(shop, order, 1, snapper(1))).status, 200)
  await packed(shop, order, 1_000)
  await shop.settle()
  assert.equal(shop.stripe.held(url).received, 3_000)
})

test('what was charged early is not changed, but when it comes', async () => {
  await using shop = await cardShop()
  const order = await shop.byCard({ snapper: 2 })
  await paid(shop, order)
  await shop.deps.db
    .update(payments)
    .set({ state: 'CAPTURED', capturedCents: 6_600 })
    .where(eq(payments.orderId, order.id))
  const less = await amend(shop, order, 1, snapper(1))
  assert.deepEqual([less.status, less.error.code], [409, 'order.state'])
  assert.match(less.error.message, /paid already/)
  assert.equal((await amend(shop, order, 1, { slot: await shop.newSlot({}) })).status, 200)
})
