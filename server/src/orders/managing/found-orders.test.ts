import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { owner } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { searchOrders } from './list-orders.ts'

/** Orders of which each tenth is cancelled, each thousandth of somebody whom it names, and all of a buyer of one name. */
async function fill(db: Db, orders: number): Promise<void> {
  await db.execute(sql`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents,
      tolerance_percent, delivery_cents, total_cents, created_at)
    select 'o' || n, 'BF-2020-' || lpad(n::text, 6, '0'), case when n % 10 = 0 then 'CANCELLED' else 'COMPLETED' end,
      'pickup', s.id, s.starts_at, 1, 1, 0, 1, now() - n * interval '1 minute'
    from generate_series(1, ${orders}) n, (select id, starts_at from slots limit 1) s`)
  await db.execute(sql`insert into order_contacts (order_id, fname, lname, email, phone)
    select 'o' || n, 'Common', case when n % 1000 = 0 then 'Rare' else 'Buyer' end, n || '@y.example', '04' || n
    from generate_series(1, ${orders}) n`)
  await db.execute(sql`analyze`)
}

type Query = Parameters<typeof searchOrders>[2]

const search = (db: Db, query: Query) =>
  searchOrders(
    { db, siteFile: { market: { timeZone: 'Australia/Sydney' } }, search: (_, work) => work(db) },
    owner,
    query,
  )

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
        await search(tx as Db, query)
        const read = await rows<{ relname: string; rows: number }>(
          tx,
          sql`select relname, (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
              where relname in ('orders', 'order_contacts') and seq_tup_read + idx_tup_fetch > 5000`,
        )
        assert.deepEqual(read, [], JSON.stringify(query))
      })
  })
