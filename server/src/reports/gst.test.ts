import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { complaints } from '#server/db/schema/complaints.ts'
import { type Order, ordered, seen } from '#server/testing/amending.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, moved, type OrderShop } from '#server/testing/orders.ts'
import { around, differences, report, SALES_URL, shopOfReports } from '#server/testing/reports.ts'
import { follow, rebuild } from './projection.ts'
import { sales } from './sales-projection.ts'

const area = { area: 'Inner west', postcodes: ['2009'], fee: 880, minimum: 0, freeFrom: null }

/** GST as a report has it, which no scan says otherwise. */
async function gst(shop: OrderShop, by: 'day' | 'customer' | 'slot' | 'coupon' | 'product' | 'category') {
  await follow(shop.deps, sales(shop.deps))
  assert.deepEqual(await differences(shop), [])
  const { rows, total } = await report(shop.admin, by)
  const shown = rows.flatMap(({ key, now }) => (now.gst === 0 ? [] : [[key, now.gst] as const]))
  return { total: total.gst, rows: Object.fromEntries(shown) }
}

/** Records so much as given back of some lines of an order, or of none in particular. */
async function givenBack(
  shop: OrderShop,
  { id }: Order,
  cents: number,
  lines: number[] = [],
): Promise<string> {
  const complaint = `${id}-${cents}`
  await shop.deps.db.insert(complaints).values({
    ...{ id: complaint, orderId: id, status: 'CLOSED', lines, wrong: ['not-fresh'], wish: 'refund' },
    ...{ aboutBoxes: false, promisedCents: cents },
  })
  await shop.deps.db.update(complaints).set({ refundedAt: new Date() }).where(eq(complaints.id, complaint))
  return complaint
}

for (const [name, open] of testDatabases)
  test(`${name}: GST in reports is that of the invoices, by line where it is taxable, without that of what was taken off, cancelled or given back`, async () => {
    await using shop = await shopOfReports({ open })
    await shop.admin('PUT', '/api/manage/site', { part: 'delivery', areas: [area] })
    await shop.deps.site.current()
    const there = { fulfilment: { kind: 'delivery', slot: shop.delivery, address } }
    const brought = await ordered(shop, { snapper: 2, ice: 2 }, there)
    const cheaper = await ordered(shop, { oysters: 1, ice: 3 }, { coupon: 'FISH10' })
    const invoiced = async (): Promise<number[]> => [
      (await seen(shop, brought)).totals.gst,
      (await seen(shop, cheaper)).totals.gst,
    ]
    assert.deepEqual(await invoiced(), [91 + 80, 123], 'ice and its delivery; ice without its share of 10 %')
    for (const by of ['day', 'customer', 'slot'] as const) assert.equal((await gst(shop, by)).total, 294, by)
    assert.deepEqual(await gst(shop, 'product'), { total: 214, rows: { ice: 214 } })
    assert.deepEqual(await gst(shop, 'category'), { total: 214, rows: { c: 214 } })
    assert.deepEqual((await gst(shop, 'coupon')).rows, { FISH10: 123 })

    const back = async (cents: number, lines: number[], left: number): Promise<void> => {
      const complaint = await givenBack(shop, brought, cents, lines)
      assert.equal((await gst(shop, 'day')).total, 123 + left, `${cents} of ${lines}`)
      await shop.deps.db.update(complaints).set({ refundedAt: null }).where(eq(complaints.id, complaint))
      assert.equal((await gst(shop, 'day')).total, 294, 'it was not given back after all')
    }
    await back(1_100, [1], 171)
    await back(550, [2], 171 - 50)
    // Of the order as a whole, 18.80 of 78.80 include GST: of 39.40 these are 9.40.
    await back(3_940, [], 171 - 85)
    // All of the ice, and of the rest of it as of the order as a whole.
    await back(1_788, [2], 171 - 91 - 17)
    await back(7_880, [1], 0)
    await givenBack(shop, brought, 500, [2])
    await givenBack(shop, brought, 1_000, [1])
    assert.equal((await gst(shop, 'day')).total, 294 - 45, 'two of one order')
    assert.equal((await gst(shop, 'product')).total, 214, 'what was given back is of no product')

    await shop.admin('POST', `${cheaper.path}/left-out`, { position: 2, reason: 'none left' })
    assert.deepEqual([(await invoiced())[1], (await gst(shop, 'coupon')).rows], [0, {}])
    const file = (await shop.admin('GET', `${SALES_URL}/export?${new URLSearchParams({ ...around() })}`)).body
    assert.match(file, /^.day,orders,kilograms,pieces,revenue,gst,discounts/)
    assert.match(file, /,1\.26,/)

    await moved(shop, brought.id, 'CANCELLED', { reason: 'asked for' })
    assert.deepEqual(await gst(shop, 'day'), { total: 0, rows: {} })

    const again = await ordered(shop, { ice: 4 })
    assert.deepEqual(
      [(await gst(shop, 'product')).rows, (await seen(shop, again)).totals.gst],
      [{ ice: 182 }, 182],
    )
    await rows(shop.deps.db, sql`update sales_sums set gst = gst + 1 where what = 'lines' and period = ''`)
    assert.deepEqual(await differences(shop), ['the sum of lines  in  is not that of its orders'])
    await rebuild(shop.deps.db, sales(shop.deps))
    assert.deepEqual((await gst(shop, 'product')).rows, { ice: 182 })
  })
