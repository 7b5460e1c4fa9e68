import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeskToday } from '@befaqt/domain/api/today-api'
import { DAY_MS, HOUR_MS } from '@befaqt/domain/durations'
import { marketDate } from '@befaqt/domain/market-time'
import { daysLater } from '@befaqt/domain/slot-rules'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { orders, slots } from '#server/db/schema/orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { packedOrder, placedOrder } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'

const URL = '/api/manage/desk/today'
const zone = 'Australia/Sydney'

async function today({ admin }: OrderShop): Promise<DeskToday> {
  const reply = await admin('GET', URL)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** Moves a slot with its orders. */
async function moveSlot({ deps: { db } }: OrderShop, id: string, startsAt: Date): Promise<void> {
  const endsAt = new Date(startsAt.getTime() + HOUR_MS)
  await db.update(slots).set({ startsAt, endsAt }).where(eq(slots.id, id))
  await db.update(orders).set({ slotStartsAt: startsAt }).where(eq(orders.slotId, id))
}

for (const [name, open] of testDatabases)
  test(`${name}: today has what is to pack by slot, and the day beside the same weekday before`, async () => {
    await using shop = await shopWithOrders({ open })
    const empty = await today(shop)
    assert.deepEqual([empty.slots, empty.missing], [[], []])
    await placedOrder(shop)
    const packed = await packedOrder(shop)
    const [slot] = (await today(shop)).slots
    assert.deepEqual([slot?.toPack, slot?.orders, slot?._id], [1, 2, shop.pickup])

    await moveSlot(shop, shop.pickup, new Date())
    const day = marketDate(Date.now(), zone)
    const { sold, soldBefore } = await today(shop)
    assert.deepEqual([sold.day, soldBefore.day], [day, daysLater(day, -7)])
    const { totals } = (await shop.admin('GET', `${packed.path}/manage`)).json()
    assert.equal(sold.orders, 2)
    assert.ok(sold.revenue > totals.total && sold.grams >= 1_000, JSON.stringify(sold))
    assert.deepEqual([soldBefore.orders, soldBefore.revenue, soldBefore.grams], [0, 0, 0])

    await moveSlot(shop, shop.pickup, new Date(Date.now() - 7 * DAY_MS))
    const weekLater = await today(shop)
    assert.deepEqual([weekLater.sold.orders, weekLater.soldBefore.orders], [0, 2])
    assert.equal(weekLater.slots[0]?.toPack, 1, 'what was forgotten still waits')
    await rows(shop.deps.db, sql`update orders set status = 'CANCELLED'`)
    const after = await today(shop)
    assert.deepEqual([after.slots, after.soldBefore.orders], [[], 0])
  })

test('today has what is near its best-by, what runs out and what arrives, and says what a new shop lacks', async () => {
  await using shop = await shopWithOrders()
  const { db, catalogue } = shop.deps
  await placedOrder(shop)
  assert.deepEqual((await today(shop)).arriving, [])
  await db.update(boxes).set({ stage: 'at sea' }).where(eq(boxes.id, 'BOX-1'))
  assert.deepEqual(
    (await today(shop)).arriving.map(({ boxID, stage }) => [boxID, stage]),
    [['BOX-1', 'at sea']],
  )
  const products = (await shop.admin('GET', '/api/product')).json()
  const ice = products.find(({ title }: { title: string }) => /ice/i.test(title))
  const set = await shop.admin('POST', '/api/product/bulk', { ids: [ice._id], set: { stock: 3 } })
  assert.equal(set.statusCode, 200, set.body)
  assert.deepEqual(
    (await today(shop)).runningOut.map(({ _id, stock }) => [_id, stock]),
    [[ice._id, 3]],
  )

  const shown = await catalogue.snapshot()
  const [snapper] = shown.products.filter(({ box }) => box !== null)
  const day = marketDate(Date.now(), zone)
  const near = async (bestBy: string, over: string): Promise<DeskToday['nearBest']> => {
    const wordFrom = { good: daysLater(day, -3), useSoon: daysLater(day, -2), over }
    const box = snapper?.box && { ...snapper.box, freshnessIndex: 0.7, bestBy, wordFrom, warm: null }
    const only = { ...shown, products: snapper ? [{ ...snapper, box: box ?? null }] : [] }
    shop.deps.catalogue.snapshot = async () => only
    return (await today(shop)).nearBest
  }
  assert.deepEqual(await near(daysLater(day, 2), daysLater(day, 3)), [], 'the day after tomorrow is not near')
  const [tomorrow] = await near(daysLater(day, 1), daysLater(day, 2))
  assert.deepEqual([tomorrow?.boxID, tomorrow?.bestBy], ['BOX-1', daysLater(day, 1)])
  const [past] = await near(daysLater(day, -1), day)
  assert.deepEqual([past?.boxID, past?.bestBy], ['BOX-1', null], 'past its best')

  shop.deps.catalogue.snapshot = async () => ({ ...shown, products: [] })
  await db.update(slots).set({ closed: true })
  assert.deepEqual((await today(shop)).missing, ['products', 'slots'])
})

test('today is for staff alone, each as far as their rights go', async () => {
  await using shop = await shopWithOrders()
  await placedOrder(shop)
  await rows(shop.deps.db, sql`update products set stock = 3`)
  const lists = async (id: string, right: 'order:write' | 'shop:write') => {
    const { slots, runningOut, sold } = (await (await callerOf(shop, id, 'USER', [right]))('GET', URL)).json()
    return [slots.length, runningOut.length > 0, sold.orders]
  }
  const all = await today(shop)
  assert.deepEqual(await lists('pat', 'order:write'), [all.slots.length, false, all.sold.orders])
  assert.deepEqual(await lists('kim', 'shop:write'), [0, all.runningOut.length > 0, 0])
  const asUser = await (await callerOf(shop, 'ann', 'USER'))('GET', URL)
  const asNobody = await shop.app.inject(URL)
  assert.deepEqual([asUser.statusCode, asNobody.statusCode], [403, 401])
})
