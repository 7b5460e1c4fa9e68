import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SalesBy, type SalesReport, salesBy } from '@befaqt/domain/api/desk-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { DAY_MS, HOUR_MS } from '@befaqt/domain/durations'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { amend, type Order, ordered } from '#server/testing/amending.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, type OrderShop } from '#server/testing/orders.ts'
import { differences, report, shopOfReports } from '#server/testing/reports.ts'
import { follow, rebuild } from './projection.ts'
import { sales } from './sales-projection.ts'

const shown = ({ rows }: SalesReport): Record<string, [orders: number, grams: number, revenue: number]> =>
  Object.fromEntries(
    rows.flatMap(({ key, now }) => (now.orders === 0 ? [] : [[key, [now.orders, now.grams, now.revenue]]])),
  )

/** What reports say, by a plain scan of the orders as they are. */
async function scanned({ deps: { db } }: OrderShop, by: SalesBy) {
  const refunds = sql`coalesce((select sum(promised_cents) from complaints c where c.order_id = o.id and refunded_at is not null), 0)`
  const day = sql`to_char(o.slot_starts_at at time zone 'Australia/Sydney', 'YYYY-MM-DD')`
  const lines = sql`from order_lines l join orders o on o.id = l.order_id join products p on p.id = l.product_id
    where o.status <> 'CANCELLED' and l.left_out_reason is null`
  const grams = sql`sum(case when l.ordered_grams is null then 0 else coalesce(l.final_grams, l.ordered_grams) end)`
  const ofOrder = sql`(select coalesce(sum(case when l.ordered_grams is null then 0 else coalesce(l.final_grams, l.ordered_grams) end), 0)
    from order_lines l where l.order_id = o.id and l.left_out_reason is null)`
  const ofOrders = (
    key: unknown,
  ) => sql`select ${key} as key, count(*)::int as orders, sum(${ofOrder})::int as grams,
    sum(o.total_cents - ${refunds})::int as revenue from orders o where o.status <> 'CANCELLED' group by 1`
  const query = {
    day: ofOrders(day),
    customer: ofOrders(
      sql`coalesce(o.user_id, case when exists (select from order_contacts c where c.order_id = o.id) then 'guest' else 'erased' end)`,
    ),
    slot: ofOrders(
      sql`o.kind || ' ' || to_char(o.slot_starts_at at time zone 'Australia/Sydney', 'ID HH24:MI')`,
    ),
    coupon: sql`select * from (${ofOrders(sql`case when o.coupon_cents > 0 then o.coupon->>'code' end`)}) c where key is not null`,
    product: sql`select l.product_id as key, count(*)::int as orders, ${grams}::int as grams, null::int as revenue ${lines} group by 1`,
    category: sql`select p.category_id as key, count(*)::int as orders, ${grams}::int as grams, null::int as revenue ${lines} group by 1`,
  }[by]
  const found = await rows<{ key: string; orders: number; grams: number; revenue: number | null }>(db, query)
  return Object.fromEntries(found.map(({ key, orders, grams, revenue }) => [key, [orders, grams, revenue]]))
}

/** Reports say of all dimensions what a plain scan says; the projection is what its own scan says. */
async function assertTrue(shop: OrderShop): Promise<void> {
  await follow(shop.deps, sales(shop.deps))
  assert.deepEqual(await differences(shop), [])
  for (const by of salesBy) {
    const found = await report(shop.admin, by)
    const scan = await scanned(shop, by)
    const said = Object.entries(shown(found)).map(([key, [orders, grams, revenue]]) => [
      key,
      [orders, grams, scan[key]?.[2] === null ? null : revenue],
    ])
    assert.deepEqual(Object.fromEntries(said), scan, by)
  }
  const [sum] = await rows<{ goods: number; delivery: number }>(
    shop.deps.db,
    sql`select coalesce(sum(total_cents), 0)::int as goods, coalesce(sum(delivery_cents), 0)::int as delivery
        from orders where status <> 'CANCELLED'`,
  )
  const byProduct = await report(shop.admin, 'product')
  const { total } = await report(shop.admin)
  const orders = await rows<{ id: string; refunds: number }>(
    shop.deps.db,
    sql`select id, coalesce((select sum(promised_cents) from complaints where order_id = o.id and refunded_at is not null), 0)::int
          as refunds from orders o where status <> 'CANCELLED'`,
  )
  let [gst, gstOfLines, left] = [0, 0, 0]
  for (const { id, refunds } of orders) {
    const { totals, lines }: OrderView = (await shop.admin('GET', `/api/order/${id}/manage`)).json()
    gst += totals.gst
    gstOfLines += lines.reduce((sum, line) => sum + line.gst, 0)
    left += totals.gst * Math.max(0, 1 - refunds / Math.max(1, totals.total))
  }
  assert.equal(byProduct.total.gst, gstOfLines, 'GST of lines is that of the invoices')
  const isGivenBack = orders.some(({ refunds }) => refunds > 0)
  assert.ok(
    isGivenBack ? Math.abs(total.gst - left) <= 2 * orders.length : total.gst === gst,
    'GST is that of the invoices, but for what was given back',
  )
  assert.equal(
    byProduct.total.revenue,
    (sum?.goods ?? 0) - (sum?.delivery ?? 0),
    'products and delivery are all',
  )
}

/** What is done to a shop's orders: which one, and how. */
const acts = fc.array(
  fc.record({
    act: fc.constantFrom(
      'guest',
      'account',
      'coupon',
      'delivery',
      'amend',
      'pack',
      'leaveOut',
      'cancel',
      'move',
      'refund',
      'unrefund',
      'erase',
      'forget',
    ),
    nth: fc.nat(20),
    amount: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 12, maxLength: 24 },
)

type Act = { act: string; nth: number; amount: number }

/** Does one of them where it may be done; what the shop refuses changes nothing. */
async function play(shop: OrderShop, buyer: Caller, made: Order[], { act, nth, amount }: Act): Promise<void> {
  const { db } = shop.deps
  const order = made[nth % Math.max(1, made.length)]
  const quantities = amount % 2 === 0 ? { snapper: amount, ice: 2 } : { snapper: amount / 2, oysters: amount }
  if (act === 'guest') made.push(await ordered(shop, quantities))
  if (act === 'coupon') made.push(await ordered(shop, quantities, { coupon: 'FISH10' }))
  if (act === 'delivery') {
    const address = { street: '1 Bank St', suburb: 'Pyrmont', state: 'NSW', postcode: '2009' }
    made.push(
      await ordered(shop, quantities, { fulfilment: { kind: 'delivery', slot: shop.delivery, address } }),
    )
  }
  if (act === 'account') {
    const contact = { fname: 'Bo', lname: 'Ek', email: 'bo@example.org', phone: '0400 000 001' }
    const fulfilment = { kind: 'pickup', slot: shop.pickup }
    const body = { lines: linesOf(quantities), contact, fulfilment }
    const reply = await buyer('POST', '/api/order', body, {
      'idempotency-key': `${made.length}-${Math.random()}`,
    })
    if (reply.statusCode === 201) {
      const { _id: id, link } = reply.json()
      made.push({ id, path: `/api/order/${id}`, query: new URL(link).search, version: 1 })
    }
  }
  if (order === undefined) return
  const { id, path } = order
  const [now] = await db.select().from(orders).where(eq(orders.id, id))
  if (act === 'amend') await amend(shop, { ...order, version: now?.version ?? 1 }, { lines: { 1: amount } })
  if (act === 'pack') {
    const { lines } = (await shop.admin('GET', `${path}/manage`)).json()
    const packed = lines.map((line: { position: number; unit: string }) => ({
      position: line.position,
      ...(line.unit === 'kg' ? { grams: amount * 333 } : {}),
      boxes: [],
    }))
    await shop.admin('PUT', `${path}/packing`, { lines: packed })
    await shop.admin('PATCH', path, { status: 'PACKED' })
  }
  if (act === 'leaveOut') await shop.admin('POST', `${path}/left-out`, { position: 2, reason: 'none left' })
  if (act === 'cancel') await shop.admin('PATCH', path, { status: 'CANCELLED', reason: 'asked for' })
  if (act === 'move') {
    const slot = await shop.newSlot({
      startsAt: new Date(Date.now() + amount * 2 * DAY_MS).toISOString(),
      endsAt: new Date(Date.now() + amount * 2 * DAY_MS + HOUR_MS).toISOString(),
    })
    await shop.admin('PATCH', `${path}/slot`, { slot, version: now?.version ?? 1 })
  }
  if (act === 'refund')
    await rows(
      db,
      sql`insert into complaints (id, order_id, status, lines, wrong, wish, about_boxes, promised_cents)
          values (${`${id}-${Math.random()}`}, ${id}, 'CLOSED', '[]', '["not-fresh"]', 'refund', false, ${amount * 100})`,
    )
  if (act === 'refund') await rows(db, sql`update complaints set refunded_at = now() where order_id = ${id}`)
  if (act === 'unrefund') await rows(db, sql`update complaints set refunded_at = null where order_id = ${id}`)
  if (act === 'erase') await db.delete(users).where(eq(users.id, 'bo'))
  if (act === 'forget')
    await rows(db, sql`delete from order_contacts where order_id = ${id} and user_id is null`)
}

for (const [name, open] of testDatabases)
  test(`${name}: reports say what a scan of the orders says, whatever became of them`, async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        await using shop = await shopOfReports({ open })
        const buyer = await callerOf(shop, 'bo', 'USER')
        const made: Order[] = []
        for (const [i, one] of all.entries()) {
          await play(shop, buyer, made, one)
          if (i === Math.floor(all.length / 2)) await assertTrue(shop)
        }
        await assertTrue(shop)
        const before = await report(shop.admin, 'product')
        await rebuild(shop.deps.db, sales(shop.deps))
        assert.equal((await report(shop.admin)).isMade, false, 'it says that it is made anew')
        await assertTrue(shop)
        assert.deepEqual(await report(shop.admin, 'product'), before)
      }),
      { numRuns: 3, endOnFailure: true },
    )
  })
