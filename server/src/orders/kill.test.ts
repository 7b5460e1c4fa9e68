import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { slots } from '#server/db/schema/orders.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'

const PROGRAM = fileURLToPath(new URL('../testing/order-until-killed.ts', import.meta.url))
const KILLS = 4
const STOCK = 100_000

/** Lets a process place orders, and kills it once it has told of `orders` new ones. Returns what it told. */
async function orderUntilKilled(url: string, slot: string, known: number, orders: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, url, slot], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const told: string[] = []
  for await (const line of createInterface(child.stdout)) {
    told.push(line)
    if (told.length === known + orders) child.kill('SIGKILL')
  }
  await ended
  return told
}

test('PostgreSQL: killed at any moment, no order is without its stock, number, key and email, and none is told that is not there', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const { db } = t
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  const times = { startsAt: at(20), endsAt: at(22), cutOffAt: at(19), timeZone: 'UTC' }
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values({ id: 'snapper', title: 'Snapper', categoryId: 'c', stock: STOCK })
  await db.insert(slots).values({ id: 'slot', kind: 'pickup', capacity: 10_000, ...times })
  const told = new Set<string>()
  for (let i = 0; i < KILLS; i++)
    for (const number of await orderUntilKilled(t.url, 'slot', told.size, 7 + i)) told.add(number)
  while ((await rows(db, sql`select from pg_locks where locktype = 'advisory'`)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20)) // of a transaction that was under way
  const numbers = (await rows<{ number: string }>(db, sql`select number from orders order by number`)).map(
    ({ number }) => number,
  )
  assert.ok(numbers.length >= told.size && told.size >= 7 * KILLS, `${numbers.length} of ${told.size}`)
  for (const number of told) assert.ok(numbers.includes(number), number)
  assert.deepEqual(
    numbers.map((number) => Number(number.slice(-6))),
    numbers.map((_, i) => i + 1),
  )
  const [snapper] = await db.select().from(products).where(eq(products.id, 'snapper'))
  assert.equal(snapper?.stock, STOCK - numbers.length)
  for (const table of ['order_contacts', 'order_lines', 'order_events', 'idempotency_keys', 'jobs']) {
    const [count] = await rows<{ all: number }>(db, sql`select count(*)::int as all from ${sql.raw(table)}`)
    assert.equal(count?.all, numbers.length, table)
  }
})
