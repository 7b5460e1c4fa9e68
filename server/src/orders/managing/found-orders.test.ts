import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { owner } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { searchOrders } from './list-orders.ts'
import { exportOrders } from './order-csv.ts'

/**
 * Orders of which each tenth is cancelled, each thousandth of somebody whom it names and of a day of its own, and all of a
 * buyer of one name.
 */
async function fill(db: Db, orders: number): Promise<void> {
  await db.execute(sql`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents,
      tolerance_percent, delivery_cents, total_cents, created_at)
    select 'o' || n, 'BF-2020-' || lpad(n::text, 6, '0'), case when n % 10 = 0 then 'CANCELLED' else 'COMPLETED' end,
      'pickup', s.id, case when n % 1000 = 0 then '2020-01-02 03:00+00' else s.starts_at end, 1, 1, 0, 1, now() - n * interval '1 minute'
    from generate_series(1, ${orders}) n, (select id, starts_at from slots limit 1) s`)
  await db.execute(sql`insert into order_contacts (order_id, fname, lname, email, phone)
    select 'o' || n, 'Common', case when n % 1000 = 0 then 'Rare' else 'Buyer' end, n || '@y.example', '04' || n
    from generate_series(1, ${orders}) n`)
  await db.execute(sql`insert into order_lines (order_id, position, product_id, title, price_cents, discount, unit,
      include_gst, quantity)
    select 'o' || n, 0, p.id, 'Snapper', 1, 0, 'piece', false, 1
    from generate_series(1, ${orders}) n, (select id from products limit 1) p`)
  await db.execute(sql`analyze`)
}

type Query = Parameters<typeof searchOrders>[2]

const siteFile = { market: { timeZone: 'Australia/Sydney' } }

const search = (db: Db, query: Query) =>
  searchOrders({ db, siteFile, search: (_, work) => work(db) }, owner, query)

/** 20,000 orders are few enough to be read for a page of them. */
const asIfMany = (tx: Tx) => tx.execute(sql`set local enable_seqscan = off`)

/** The tables of which `work` reads more than a few rows, with how many. */
async function readMuch(tx: Tx, work: () => Promise<unknown>): Promise<[string, number][]> {
  const read = await rowsRead(tx, ['orders', 'order_contacts', 'order_lines'], work)
  return Object.entries(read).filter(([, n]) => n > 5_000)
}

for (const [name, open] of testDatabases)
  test(`${name}: orders that a search finds are listed and counted, many of them up to a bound`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await fill(db, 3_000)
    const seen = async (query: Query) => {
      const { rows, total, atLeast } = await search(db, { size: 2, ...query })
      return [rows.map(({ number }) => number.slice(-4)), total, atLeast]
    }
    assert.deepEqual(await seen({ q: 'common' }), [['0001', '0002'], 1_000, true])
    assert.deepEqual(await seen({ q: 'BF-2020' }), [['0001', '0002'], 1_000, true])
    assert.deepEqual(await seen({ q: 'common', status: 'CANCELLED' }), [['0010', '0020'], 300, undefined])
    assert.deepEqual(await seen({ q: 'BF-2020', status: 'CANCELLED' }), [['0010', '0020'], 300, undefined])
    assert.deepEqual(await seen({ q: 'BF-2020', status: 'COMPLETED' }), [['0001', '0002'], 1_000, true])
    assert.deepEqual(await seen({ q: 'common rare' }), [['1000', '2000'], 3, undefined])
    assert.deepEqual(await seen({ q: '1000', status: 'CANCELLED' }), [['1000'], 1, undefined])
    assert.deepEqual(await seen({ q: '10' }), [['0010'], 1, undefined])
    const first = await search(db, { q: 'common', status: 'CANCELLED', size: 100 })
    const next = await search(db, { q: 'common', status: 'CANCELLED', size: 100, after: first.next ?? '' })
    assert.deepEqual([next.first, next.rows[0]?.number], [101, 'BF-2020-001010'])
  })

const many = [
  { q: 'common' },
  { q: 'BF-2020' },
  { q: 'common', status: 'COMPLETED' },
  { q: 'BF-2020', status: 'COMPLETED' },
] as const

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: a search that finds many orders reads a few of them`, async () => {
    await using shop = await shopWithOrders({ open })
    await fill(shop.deps.db, 20_000)
    for (const query of many)
      await shop.deps.db.transaction(async (tx) => {
        await asIfMany(tx)
        const much = await readMuch(tx, () => search(tx as Db, query))
        assert.deepEqual(much, [], JSON.stringify(query))
      })
  })

const chosen = [
  [{}, 3_000],
  [{ q: 'common' }, 3_000],
  [{ q: 'BF-2020' }, 3_000],
  [{ q: 'common', status: 'COMPLETED' }, 2_700],
  [{ status: 'CANCELLED' }, 300],
  [{ q: 'rare' }, 3],
  [{ day: '2020-01-02' }, 3],
  [{ q: 'common', day: '2020-01-02' }, 3],
  [{ q: 'nobody' }, 0],
] as const

for (const [name, open] of testDatabases)
  test(`${name}: a file of orders holds each that matches once, the newest first`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await fill(db, 3_000)
    for (const [filter, most] of chosen) {
      const numbers: string[] = []
      for await (const part of exportOrders({ db, siteFile }, owner, filter))
        numbers.push(...(part.match(/BF-\d{4}-\d{6}/g) ?? []))
      assert.deepEqual(numbers, [...new Set(numbers)].sort(), JSON.stringify(filter))
      assert.equal(numbers.length, most, JSON.stringify(filter))
    }
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: a file of orders begins before all of them were read`, async () => {
    await using shop = await shopWithOrders({ open })
    await fill(shop.deps.db, 20_000)
    for (const filter of [{}, ...many, { q: 'rare' }, { day: '2020-01-02' }])
      await shop.deps.db.transaction(async (tx) => {
        await asIfMany(tx)
        const much = await readMuch(tx, async () => {
          const file = exportOrders({ db: tx as Db, siteFile }, owner, filter)
          await file.next()
          assert.match((await file.next()).value ?? '', /BF-2020-/, JSON.stringify(filter))
        })
        assert.deepEqual(much, [], JSON.stringify(filter))
      })
  })
