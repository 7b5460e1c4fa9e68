import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SalesBy, Sold } from '@befaqt/domain/api/desk-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { marketDate } from '@befaqt/domain/market-time'
import { daysLater } from '@befaqt/domain/slot-rules'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { products } from '#server/db/schema/shop.ts'
import { ordered } from '#server/testing/amending.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf } from '#server/testing/orders.ts'
import { around, differences, report, SALES_URL, shopOfReports } from '#server/testing/reports.ts'
import { consumerOf, follow, rebuild } from './projection.ts'
import { periodsOf } from './ranges.ts'
import { fileTurns, readSales, salesFile } from './read-sales.ts'
import { auditSalesJob } from './sales-audit.ts'
import { sales } from './sales-projection.ts'

test('a change that comes late, twice or from a cancelled order leaves no trace, and what is lost is found and mended', async () => {
  await using shop = await shopOfReports()
  const { deps } = shop
  const order = await ordered(shop, { snapper: 2 })
  await ordered(shop, { snapper: 1, ice: 1 })
  await follow(deps, sales(deps))
  const whole = await report(shop.admin)
  assert.deepEqual([whole.total.orders, whole.total.grams, whole.total.revenue], [2, 3_000, 9_500])
  const [event] = await rows<{ number: number; keys: string[] }>(
    deps.db,
    sql`select number::int, keys from events where kind = 'order.changed' order by number limit 1`,
  )
  const again = {
    ...event,
    number: event?.number ?? 0,
    keys: event?.keys ?? [],
    kind: 'order.changed',
    at: '',
  }
  await deps.db.transaction((tx) => consumerOf(sales(deps)).work(tx, [again, again]))
  assert.deepEqual(await report(shop.admin), whole, 'an event that comes again')

  await shop.admin('PATCH', order.path, { status: 'CANCELLED', reason: 'asked for' })
  await follow(deps, sales(deps))
  const after = await report(shop.admin)
  assert.deepEqual([after.total.orders, after.total.grams, after.total.revenue], [1, 1_000, 3_500])

  await rows(deps.db, sql`delete from sales_parts where position = 0`)
  assert.match((await differences(shop)).join(), /order .* is in the sums/)
  await rows(deps.db, sql`update sales_sums set grams = grams + 1 where what = 'product' and key = 'snapper'`)
  assert.match((await differences(shop)).join(), /the sum of product snapper/)
  await rebuild(deps.db, sales(deps))
  await follow(deps, sales(deps))
  assert.deepEqual([await differences(shop), await report(shop.admin)], [[], after])
})

test('each night orders that are otherwise in the sums are put right, and said', async () => {
  await using shop = await shopOfReports()
  const { deps } = shop
  await ordered(shop, { snapper: 2 })
  await follow(deps, sales(deps))
  const right = await report(shop.admin)
  await rows(deps.db, sql`delete from events where kind = 'order.changed'`)
  await rows(deps.db, sql`update sales_parts set revenue = 0 where position = 0`)
  await rows(deps.db, sql`update sales_sums set revenue = 0 where what <> 'product'`)
  assert.equal((await report(shop.admin)).total.revenue, 0)
  const said: object[] = []
  const job = auditSalesJob({ ...deps, log: { error: (words: object) => void said.push(words) } })
  await job({}, new AbortController().signal)
  assert.deepEqual([said.length, await report(shop.admin)], [1, right])
})

test('an order belongs to the market day of its slot, also where the clocks change', async () => {
  await using shop = await shopOfReports()
  const { db } = shop.deps
  // In Sydney clocks go forward on 4 October 2026 at 2 am and back on 5 April 2026 at 3 am.
  const at = [
    ['2026-10-03T13:59:59Z', '2026-10-03'],
    ['2026-10-03T14:00:00Z', '2026-10-04'],
    ['2026-10-04T12:59:59Z', '2026-10-04'],
    ['2026-10-04T13:00:00Z', '2026-10-05'],
    ['2026-04-05T13:59:59Z', '2026-04-05'],
    ['2026-04-05T14:00:00Z', '2026-04-06'],
  ] as const
  for (const [startsAt] of at) {
    const { id } = await ordered(shop, { ice: 1 })
    await db
      .update(orders)
      .set({ slotStartsAt: new Date(startsAt) })
      .where(eq(orders.id, id))
  }
  await follow(shop.deps, sales(shop.deps))
  const days = Object.groupBy(at, ([, day]) => day)
  for (const [day, moments] of Object.entries(days))
    assert.equal((await report(shop.admin, 'day', { from: day, to: day })).total.orders, moments?.length, day)
})

test('a range is read as whole years, months and days, beside as many days before it', async () => {
  assert.deepEqual(periodsOf({ from: '2026-11-27', to: '2026-11-29' }), [
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ])
  assert.deepEqual(periodsOf({ from: '2024-12-31', to: '2026-02-01' }), [
    '2024-12-31',
    '2025',
    '2026-01',
    '2026-02-01',
  ])
  assert.deepEqual(periodsOf({ from: '2026-02-01', to: '2026-02-28' }), ['2026-02'])
  assert.deepEqual(periodsOf({ from: '2024-02-01', to: '2024-02-28' }).length, 28, 'a leap year')

  await using shop = await shopOfReports()
  const { db } = shop.deps
  const days = ['2026-11-20', '2026-11-27', '2025-12-31', '2026-01-01', '2024-06-01']
  for (const day of days) {
    const { id } = await ordered(shop, { ice: 1 })
    await db
      .update(orders)
      .set({ slotStartsAt: new Date(`${day}T02:00:00Z`) })
      .where(eq(orders.id, id))
  }
  await follow(shop.deps, sales(shop.deps))
  const sums = async (by: SalesBy, from: string, to: string): Promise<[Sold['orders'], Sold['orders']]> => {
    const { total, totalBefore } = await report(shop.admin, by, { from, to })
    return [total.orders, totalBefore.orders]
  }
  for (const by of ['day', 'product'] as const) {
    assert.deepEqual(await sums(by, '2026-11-21', '2026-11-27'), [1, 1])
    assert.deepEqual(await sums(by, '2026-01-01', '2026-12-31'), [3, 1])
    assert.deepEqual(await sums(by, '2024-01-01', '2026-12-31'), [5, 0])
  }
  const long = await report(shop.admin, 'day', { from: '2026-01-01', to: '2026-12-31' })
  assert.deepEqual([long.step, long.rows.length, long.rows[10]?.now.orders], ['month', 12, 2])
  const refused = async (range: object): Promise<string[]> =>
    (await shop.admin('GET', `${SALES_URL}?${new URLSearchParams({ ...range })}`))
      .json()
      .error.fields.map(({ path }: { path: string }) => path)
  assert.deepEqual(await refused({ from: '2026-02-01', to: '2026-01-31' }), ['to'])
  assert.deepEqual(await refused({ from: '1990-01-01', to: '2026-01-31' }), ['from'])
  assert.deepEqual(await refused({ from: 'soon' }), ['from'])
  assert.deepEqual(await refused({ from: '0001-01-01', to: '0001-01-31' }), ['from'])
  assert.deepEqual(await refused({ from: '9999-12-01', to: '9999-12-31' }), ['to'])
})

test('reports are for who may see them, customers for who may see these, and names are in no sums', async () => {
  await using shop = await shopOfReports()
  const bo = await callerOf(shop, 'bo', 'USER')
  const contact = { fname: 'Bo', lname: 'Ek', email: 'bo@example.org', phone: '0400 000 001' }
  const body = { lines: linesOf({ ice: 1 }), contact, fulfilment: { kind: 'pickup', slot: shop.pickup } }
  assert.equal((await bo('POST', '/api/order', body, { 'idempotency-key': 'k' })).statusCode, 201)
  await ordered(shop, { ice: 1 })
  await follow(shop.deps, sales(shop.deps))
  const names = async (): Promise<string[]> =>
    (await report(shop.admin, 'customer')).rows.map(({ name }) => name).sort()
  assert.deepEqual(await names(), ['Guests', 'bo Sample'])

  const reports = await callerOf(shop, 'rita', 'USER', ['report:read'])
  const packer = await callerOf(shop, 'pat', 'USER', ['order:write'])
  const status = async (ask: Caller, url: string): Promise<number> => (await ask('GET', url)).statusCode
  for (const url of [SALES_URL, `${SALES_URL}/export`]) {
    assert.equal(await status(reports, url), 200)
    assert.equal(await status(reports, `${url}?by=customer`), 403, 'who bought is not for them')
    assert.deepEqual([await status(packer, url), await status(bo, url)], [403, 403])
    assert.equal((await shop.app.inject(url)).statusCode, 401)
  }

  await shop.deps.db.delete(users).where(eq(users.id, 'bo'))
  await follow(shop.deps, sales(shop.deps))
  assert.deepEqual(await names(), ['Erased accounts', 'Guests'])
  const [kept] = await rows<{ n: number }>(
    shop.deps.db,
    sql`select count(*)::int as n from sales_parts p where p::text ~* 'bo|ek|ann|lee|example'`,
  )
  assert.equal(kept?.n, 0)
})

test('the file has what the page has, harmless in a spreadsheet', async () => {
  await using shop = await shopOfReports()
  await ordered(shop, { snapper: 1.5, oysters: 2 })
  await shop.deps.db.update(products).set({ title: '=cmd|calc' }).where(eq(products.id, 'snapper'))
  await follow(shop.deps, sales(shop.deps))
  const reply = await shop.admin(
    'GET',
    `${SALES_URL}/export?${new URLSearchParams({ by: 'product', ...around() })}`,
  )
  assert.match(String(reply.headers['content-type']), /^text\/csv/)
  const [head, first, second] = reply.body.slice(1).split('\r\n')
  assert.match(
    head ?? '',
    /^product,orders,kilograms,pieces,revenue,gst,discounts,coupons,refunds,orders before/,
  )
  assert.equal(first, "'=cmd|calc,1,1.5,0,45,0,0,0,0,0,0,0,0,0,0,0,0")
  assert.equal(second, 'Oysters,1,0,24,40.8,0,7.2,0,0,0,0,0,0,0,0,0,0')
  assert.equal(reply.body.split('\r\n')[3], 'All,2,1.5,24,85.8,0,7.2,0,0,0,0,0,0,0,0,0,0')
  assert.equal(
    (await readSales(shop.deps, { kind: 'anonymous' }, { by: 'product', ...around() }, 1)).others?.now.orders,
    1,
  )
})

test('the first of many products are found by their index: as the file begins, also those of the range before alone', async () => {
  await using shop = await shopOfReports()
  const { deps } = shop
  const old = await ordered(shop, { oysters: 3 })
  const startsAt = new Date(Date.now() - 30 * DAY_MS)
  await deps.db.update(orders).set({ slotStartsAt: startsAt }).where(eq(orders.id, old.id))
  await ordered(shop, { snapper: 2 })
  await ordered(shop, { ice: 1 })
  await follow(deps, sales(deps))
  const today = marketDate(Date.now(), 'Australia/Sydney')
  const from = daysLater(today, -3_500)
  const ranges = [
    [around(), 3, [2, 1]],
    [{ from, to: daysLater(today, 20) }, 3, [3, 0]],
    [{ from, to: daysLater(today, -20) }, 1, [1, 0]],
  ] as const
  for (const [range, count, orders] of ranges) {
    const asked = { by: 'product', ...range } as const
    const { lines } = await salesFile(deps, { kind: 'anonymous' }, asked, fileTurns()())
    let text = ''
    for await (const part of lines) text += part
    const inFile = text
      .split('\r\n')
      .slice(1, -2)
      .flatMap((line) => line.split(',')[0] || [])
    assert.equal(inFile.length, count)
    for (const most of [1, 2, 3, 4]) {
      const page = await readSales(deps, { kind: 'anonymous' }, { by: 'product', ...range }, most)
      assert.deepEqual(
        page.rows.map(({ name }) => name),
        inFile.slice(0, most),
      )
      const shown = page.rows.reduce((sum, { now, before }) => sum + now.revenue + before.revenue, 0)
      const others = (page.others?.now.revenue ?? 0) + (page.others?.before.revenue ?? 0)
      assert.equal(shown + others, page.total.revenue + page.totalBefore.revenue)
      assert.deepEqual([page.total.orders, page.totalBefore.orders], orders)
    }
  }
})

for (const [name, open] of testDatabases)
  test(`${name}: the products of a category alone add up to what the category is in the report of categories, also in a file`, async () => {
    await using shop = await shopOfReports({ open })
    const { deps } = shop
    const old = await ordered(shop, { oysters: 3, ice: 2 })
    await deps.db
      .update(orders)
      .set({ slotStartsAt: new Date(Date.now() - 30 * DAY_MS) })
      .where(eq(orders.id, old.id))
    await ordered(shop, { snapper: 2, ice: 1, oysters: 1 }, { coupon: 'FISH10' })
    await follow(deps, sales(deps))
    const today = marketDate(Date.now(), 'Australia/Sydney')
    const ranges = [around(), { from: daysLater(today, -3_500), to: daysLater(today, 20) }]
    for (const range of ranges) {
      const whole = await report(shop.admin, 'category', range)
      for (const [id, title, count] of [
        ['c', 'Fish', 2],
        ['d', 'Oysters', 1],
      ] as const) {
        const row = whole.rows.find(({ key }) => key === id)
        for (const most of [1, 5]) {
          const read = await readSales(
            deps,
            { kind: 'anonymous' },
            { by: 'product', category: id, ...range },
            most,
          )
          assert.deepEqual([read.category, read.rows.length], [{ _id: id, title }, Math.min(most, count)])
          assert.deepEqual([read.total, read.totalBefore], [row?.now, row?.before])
        }
        const query = new URLSearchParams({ by: 'product', category: id, ...range })
        const file = (await shop.admin('GET', `${SALES_URL}/export?${query}`)).body.trim().split('\r\n')
        assert.equal(file.length, 1 + count + 1)
      }
    }
    const refused = async (query: object) =>
      (await shop.admin('GET', `${SALES_URL}?${new URLSearchParams({ ...query })}`)).json().error
    assert.equal((await refused({ by: 'product', category: 'none' })).code, 'category.not_found')
    assert.equal((await refused({ by: 'slot', category: 'c' })).fields[0].path, 'category')
  })
