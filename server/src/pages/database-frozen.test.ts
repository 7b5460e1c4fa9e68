import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@befaqt/domain/durations'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { slots } from '#server/db/schema/orders.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { callerOf } from '#server/testing/caller.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { startPostgres } from '../../../tools/test/private-postgres.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

/** What the shop promises while its database does not answer; the machine of a test may be busy. */
const FROM_MEMORY_MS = 2_000
const AWAY_MS = 5_000
const BUSY_MS = 1_000

const BOX = sampleBox().boxID

/** A shop on a PostgreSQL of its own, with one product of one category, and a box. */
async function shopOnItsOwnPostgres() {
  await using opened = new AsyncDisposableStack()
  const postgres = await startPostgres()
  assert.ok(!('why' in postgres))
  opened.defer(postgres.stop)
  const render = await loadRenderer(WEB_DIST ?? '')
  const contract = `0x${'1'.repeat(40)}`
  const ledger = { locate: async () => ({ chainId: 31337, embedded: true, rpc: '', contract }) }
  const open = async () => {
    const database = await openPostgres(postgres.url, () => undefined)
    return { ...database, [Symbol.asyncDispose]: () => database.close() }
  }
  const shop = opened.use(
    await testShop({ open, render, env: { WEB_DIST: WEB_DIST ?? '' }, deps: { ledger } }),
  )
  const { db, catalogue } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values({
    ...{ id: 'snapper', title: 'Snapper', categoryId: 'c', priceCents: 3_000, unit: 'kg', stock: 50 },
  })
  const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS)
  await db.insert(slots).values({
    ...{ id: 's', kind: 'pickup', timeZone: 'Australia/Sydney', capacity: 9 },
    ...{ cutOffAt: inHours(1), startsAt: inHours(2), endsAt: inHours(3) },
  })
  catalogue.clear()
  opened.defer(await shop.deps.events.start([catalogue, shop.deps.nextSlots]))
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const { fisher } = sampleBox()
  assert.equal((await admin('POST', '/api/box/registration', { boxID: BOX, fisher })).statusCode, 201)
  /** Status, milliseconds, and header of the age of a page. */
  const visit = async (url: string, headers: Record<string, string> = {}) => {
    const began = performance.now()
    const { statusCode: status, body, headers: sent } = await shop.app.inject({ url, headers })
    return { status, body, age: sent.age, ms: performance.now() - began }
  }
  const all = opened.move()
  return { ...shop, postgres, admin, visit, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const PUBLIC = ['/', '/product', '/product/snapper', '/category', '/category/Fish', '/api/product/active']

test('while PostgreSQL is frozen, public pages come from memory and the rest says so soon, also in the middle of a query', {
  skip: withoutPostgres || withoutPages,
  timeout: 240_000,
}, async () => {
  await using shop = await shopOnItsOwnPostgres()
  const { postgres, visit, deps } = shop
  for (const url of PUBLIC) assert.equal((await visit(url)).status, 200, url)
  assert.equal((await visit(`/SFMBox/byId/${BOX}`)).status, 200)

  postgres.freeze()
  try {
    deps.catalogue.clear() // as after a change that came just before, or a reconnect
    deps.nextSlots.clear()
    const shown = await Promise.all([...PUBLIC, '/'].map((url) => visit(url)))
    for (const [i, { status, ms, body }] of shown.entries()) {
      assert.equal(status, 200, `${PUBLIC[i] ?? '/'}: ${body.slice(0, 200)}`)
      assert.ok(ms < FROM_MEMORY_MS + BUSY_MS, `${PUBLIC[i] ?? '/'} took ${Math.round(ms)} ms`)
    }
    assert.match(shown[0]?.body ?? '', /Snapper/)
    assert.match(shown[0]?.body ?? '', /Pick-up at/)
    const again = await visit('/')
    assert.ok(again.ms < BUSY_MS, `the next one waits for nothing: ${Math.round(again.ms)} ms`)
    assert.match(String(again.age), /^\d+$/, 'it says how old it is')

    const others = [`/SFMBox/byId/${BOX}`, `/api/box/${BOX}`, '/api/slot', '/checkout', '/api/box?q=x']
    const refused = await Promise.all([
      ...others.map((url) => visit(url)),
      shop.admin('GET', '/api/order/all').then(({ statusCode: status }) => ({ status, ms: 0 })),
    ])
    for (const [i, { status, ms }] of refused.entries()) {
      assert.equal(status, 503, others[i] ?? '/api/order/all')
      assert.ok(ms < AWAY_MS + BUSY_MS, `${others[i]} took ${Math.round(ms)} ms`)
    }
  } finally {
    postgres.thaw()
  }
  while ((await visit('/')).age !== undefined) await sleep(50) // until the read that was under way is answered
  for (const url of [...PUBLIC, `/SFMBox/byId/${BOX}`, '/api/slot']) {
    const after = await visit(url)
    assert.deepEqual([after.status, after.age], [200, undefined], url)
  }
  const changed = await shop.admin('PATCH', '/api/product/snapper', { title: 'Pink snapper' })
  assert.equal(changed.statusCode, 200, changed.body)
  assert.match((await visit('/')).body, /Pink snapper/)
})

test('a write that is under way when PostgreSQL freezes is answered soon, says that it may have been done, and is', {
  skip: withoutPostgres || withoutPages,
  timeout: 240_000,
}, async () => {
  await using shop = await shopOnItsOwnPostgres()
  const { postgres } = shop
  const { db } = shop.deps
  const [held, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = db.transaction(async (tx) => {
    await tx.execute('lock table products in access exclusive mode')
    held.resolve()
    await done.promise
  })
  await held.promise
  const began = performance.now()
  const writing = shop.admin('PATCH', '/api/product/snapper', { title: 'Pink snapper' })
  const waits = sql`select pid from pg_locks where not granted`
  while ((await rows(db, waits)).length === 0) await sleep(20)
  postgres.freeze()
  try {
    const { statusCode, body } = await writing
    const ms = performance.now() - began
    assert.equal(statusCode, 503, body)
    assert.match(body, /It may have been done or may still be done/)
    assert.ok(ms < AWAY_MS + BUSY_MS, `it took ${Math.round(ms)} ms`)
  } finally {
    postgres.thaw()
    done.resolve()
  }
  await locking
  while ((await db.select().from(products))[0]?.title !== 'Pink snapper') await sleep(50)
})

test('a long read goes on for as long as PostgreSQL answers others', {
  skip: withoutPostgres || withoutPages,
  timeout: 240_000,
}, async () => {
  await using shop = await shopOnItsOwnPostgres()
  const [held, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { db } = shop.deps
  const locking = db.transaction(async (tx) => {
    await tx.execute('lock table slots in access exclusive mode')
    held.resolve()
    await done.promise
  })
  await held.promise // a read before it would wait for nothing
  const reading = shop.visit('/api/slot')
  setTimeout(done.resolve, 7_000)
  const { status, ms } = await reading
  await locking
  assert.equal(status, 200)
  assert.ok(ms > 5_000)
})
