import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { openSessionStore } from '#server/accounts/sessions/session-store.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { openPgbouncer, withoutPgbouncer } from '#server/testing/pgbouncer.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { notify, rows } from './client.ts'
import { databaseWarnings } from './open-database.ts'
import { openPostgres, type PostgresAddress } from './postgres.ts'
import { whileAnswering } from './unreachable.ts'

const skip = withoutPostgres || withoutPgbouncer
const ignore = (): void => undefined
const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options'

test('a pooler that refuses parameters is named at the start, with what to do', { skip }, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction'])
  await assert.rejects(
    openPostgres(pooler.url, ignore),
    /^Error: Wrong setting\. DATABASE_URL: a connection pooler answers there and refuses the parameter \w+\. Give the shop the address of PostgreSQL itself/,
  )
})

for (const size of [1, 20])
  test(`a pooler in transaction mode with ${size} connections is named at the start, and keeps no lock`, {
    skip,
  }, async () => {
    await using t = await testPostgres()
    const mode = ['pool_mode = transaction', IGNORED, `default_pool_size = ${size}`]
    await using pooler = await openPgbouncer(t.url, mode)
    const wrong =
      /^Error: Wrong setting\. DATABASE_URL: a connection pooler in transaction mode answers there/
    await assert.rejects(openPostgres(pooler.url, ignore), wrong)
    const left = await rows(
      t.db,
      sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and l.objid = ${advisoryLocks.migration} and d.datname = current_database()`,
    )
    assert.deepEqual(left, [])
    await using again = await opened(t.url) // another process starts
    assert.deepEqual(await rows(again.db, sql`select 1 as one`), [{ one: 1 }])
    await assert.rejects(openPostgres(pooler.url, ignore), wrong)
  })

for (const [name, more] of [
  ['as it comes', []],
  ['with one connection', ['default_pool_size = 1']],
] as const)
  test(`with the address of PostgreSQL beside it a pooler in transaction mode, ${name}, carries what needs no session`, {
    skip,
  }, async () => {
    await using t = await testPostgres()
    await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction', ...more])
    await using database = await opened({ pooler: pooler.url, direct: t.url })
    const { db } = database
    const heard = Promise.withResolvers<string>()
    await database.listen('news', heard.resolve)
    await notify(db, 'news', 'fish')
    assert.equal(await heard.promise, 'fish')
    let led = false
    await database.withLeadership(advisoryLocks.anchoring, async ({ check }) => {
      await db.transaction((tx) => check(tx))
      led = true
    })
    assert.equal(led, true)
    const sessionOf = await openSessionStore(database)
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => sessionOf(createHash('sha256').update(`${i}`).digest('hex'))),
    )
    const pid = await db.transaction(async (tx) => {
      const [session] = await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)
      return session?.pid ?? 0
    })
    await database.cancel?.(pid) // of the server's session, whoever has it
    const warned = (await databaseWarnings(db)).filter((sentence) => sentence.includes('statement_timeout'))
    assert.match(warned.join(), /alter role befaqt in database \w+ set statement_timeout = '60s'/)
    await t.db.execute(sql.raw(/alter role.*?;.*?;/.exec(warned.join())?.[0] ?? ''))
    await using fresh = await openPgbouncer(t.url, ['pool_mode = transaction'])
    await using again = await opened({ pooler: fresh.url, direct: t.url })
    assert.ok(!(await databaseWarnings(again.db)).join().includes('statement_timeout'))
  })

test('a pooler that hangs in front of a database that answers is known to answer nothing', {
  skip,
}, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction'])
  await using database = await opened({ pooler: pooler.url, direct: t.url })
  assert.equal(await database.answers(5_000), true)
  pooler.signal('SIGSTOP')
  const waiting = rows(database.db, sql`select 1`).catch((error: unknown) => error)
  await assert.rejects(
    whileAnswering(database, waiting, { askAfterMs: 10, answerMs: 500 }),
    /The database cannot be reached/,
  )
  assert.equal(await database.answers(500), false)
  pooler.signal('SIGCONT')
  await waiting
  while (!(await database.answers(5_000)));
})

test('a pooler whose connections are all in use, but go from hand to hand, is known to answer', {
  skip,
}, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction', 'default_pool_size = 1'])
  await using database = await opened({ pooler: pooler.url, direct: t.url })
  const turns = Array.from({ length: 10 }, () => rows(database.db, sql`select pg_sleep(0.3)`))
  await Promise.race(turns)
  assert.equal(
    await database.answers(1_000),
    true,
    'the question itself would have its turn after three seconds',
  )
  await Promise.all(turns)
})

test('a shop behind a pooler in transaction mode takes an order; a wrong address of either is named', {
  skip,
}, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction', 'default_pool_size = 3'])
  const nowhere = 'postgres://befaqt@127.0.0.1:1/postgres'
  await assert.rejects(
    openPostgres({ pooler: nowhere, direct: t.url }, ignore),
    /Wrong setting\. DATABASE_URL: connection refused by 127\.0\.0\.1:1/,
  )
  await assert.rejects(
    openPostgres({ pooler: pooler.url, direct: nowhere }, ignore),
    /Wrong setting\. DATABASE_DIRECT_URL: connection refused by 127\.0\.0\.1:1/,
  )
  await assert.rejects(
    openPostgres({ pooler: pooler.url, direct: pooler.url }, ignore),
    /Wrong setting\. DATABASE_DIRECT_URL: a connection pooler answers there and refuses the parameter \w+/,
  )
  await using shop = await shopWithOrders({ open: () => opened({ pooler: pooler.url, direct: t.url }) })
  await Promise.all(Array.from({ length: 6 }, () => shop.placed({ snapper: 1 })))
  assert.equal(await shop.stockOf('snapper'), 44)
})

test('a pooler in session mode carries queries, notifications and leadership', { skip }, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = session', IGNORED])
  await using database = await opened(pooler.url)
  const heard = Promise.withResolvers<string>()
  await database.listen('news', heard.resolve)
  await notify(t.db, 'news', 'fish')
  assert.equal(await heard.promise, 'fish')
  let led = false
  await database.withLeadership(advisoryLocks.anchoring, async ({ check }) => {
    await database.db.transaction((tx) => check(tx))
    led = true
  })
  assert.equal(led, true)
})

async function opened(address: PostgresAddress) {
  const database = await openPostgres(address, ignore)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
