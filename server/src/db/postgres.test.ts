import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { testPostgres, testPostgresUrl, withoutPostgres } from '#server/testing/database.ts'
import { postgresProxy } from '#server/testing/postgres-proxy.ts'
import { notify, rows } from './client.ts'
import { LeadershipLost } from './dedicated-connection.ts'
import { openPostgres } from './postgres.ts'
import { sqlState } from './sql-errors.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

const KEY = 77
const LEASE_MS = 3_000
/** Closed at the end of its block, also when its test fails. */
async function opened(...how: Parameters<typeof openPostgres>) {
  const database = await openPostgres(...how)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

const ignore = (): void => undefined

test('a connection that breaks between two statements costs its transaction and nothing else', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const broke = Promise.withResolvers<Error>()
  await using database = await opened(t.url, broke.resolve)
  const cut = database.db.transaction(async (tx) => {
    const [mine] = await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)
    await rows(t.db, sql`select pg_terminate_backend(${mine?.pid ?? 0})`)
    await broke.promise
    await rows(tx, sql`select 1`)
  })
  await assert.rejects(cut, isDatabaseUnreachable)
  assert.deepEqual(await rows(database.db, sql`select 1 as one`), [{ one: 1 }])
})

test('transactions that cannot begin leak no connection of the pool', { skip: withoutPostgres }, async () => {
  await using t = await testPostgres()
  await using way = await postgresProxy(t.url)
  await using database = await opened(way.url, ignore)
  const work = () => database.db.transaction((tx) => rows(tx, sql`select 1 as one`))
  way.cutOn('begin')
  for (let i = 0; i < 12; i++) await assert.rejects(work(), isDatabaseUnreachable)
  way.cutOn(undefined)
  assert.deepEqual(await work(), [{ one: 1 }])
  assert.deepEqual(database.pool(), { total: 1, idle: 1, waiting: 0 })
})

test('waiting too long for a connection fails with "database unavailable"', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await using database = await opened(t.url, ignore)
  const done = Promise.withResolvers<void>()
  const holders = Array.from({ length: 10 }, () => database.db.transaction(() => done.promise))
  await assert.rejects(rows(database.db, sql`select 1`), isDatabaseUnreachable)
  await assert.rejects(
    database.db.transaction(async () => undefined),
    isDatabaseUnreachable,
  )
  done.resolve()
  await Promise.all(holders)
  assert.deepEqual(await rows(database.db, sql`select 1 as one`), [{ one: 1 }])
})

test('a LISTEN connection that goes silent is replaced, and missed notifications are made up for', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await using way = await postgresProxy(t.url)
  await using database = await opened(way.url, ignore, LEASE_MS)
  const heard: string[] = []
  let next = Promise.withResolvers<void>()
  const hear = (payload: string): void => {
    heard.push(payload)
    next.resolve()
    next = Promise.withResolvers()
  }
  const stop = await database.listen('news', hear)
  await database.listen('more', ignore)
  const before = way.made()
  const again = next.promise
  way.silence()
  await again
  assert.deepEqual(heard, [''], 'the reconnect is news')
  assert.equal(way.made(), before + 1, 'one connection for both channels')
  const fish = next.promise
  await notify(t.db, 'news', 'fish')
  await fish
  assert.deepEqual(heard, ['', 'fish'])
  while ((await listening(t.db)).length > 1); // until the server has noticed the silent one too
  await stop()
})

test('a database that cannot be opened is reported with the setting to change', {
  skip: withoutPostgres,
}, async () => {
  const there = testPostgresUrl ?? ''
  for (const [change, sentence] of [
    [{ port: '1' }, /^Wrong setting\. DATABASE_URL: connection refused by 127\.0\.0\.1:1\./],
    [{ pathname: '/nosuch' }, /^Wrong setting\. DATABASE_URL: the server has no database nosuch\./],
    [
      { username: 'nobody', password: 'herring' },
      /^Wrong setting\. DATABASE_URL: the server rejects the user nobody\./,
    ],
  ] as const) {
    const url = new URL(there)
    Object.assign(url, change)
    await assert.rejects(openPostgres(url.href, ignore), ({ message }: Error) => {
      assert.match(message, sentence)
      return !message.includes('herring')
    })
  }
})

const listening = (db: Awaited<ReturnType<typeof testPostgres>>['db']) =>
  rows(
    db,
    sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'ClientRead'
        and state = 'idle' and query in ('select 1', 'listen "more"', 'listen "news"') and pid <> pg_backend_pid()`,
  )

test('a leader whose connection goes silent steps down before another one leads', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await using way = await postgresProxy(t.url)
  await using one = await opened(way.url, ignore, LEASE_MS)
  await using two = await opened(t.url, ignore, LEASE_MS)
  let lostAt = Number.POSITIVE_INFINITY
  const leads = Promise.withResolvers<void>()
  const first = one.withLeadership(KEY, async ({ lost, check }) => {
    await t.db.transaction((tx) => check(tx))
    leads.resolve()
    await once(lost, 'abort')
    lostAt = performance.now()
    await t.db.transaction((tx) => assert.rejects(check(tx), LeadershipLost))
  })
  await leads.promise
  assert.ok(((await two.leaderSilence(KEY)) ?? Number.NaN) < LEASE_MS / 1000)
  assert.equal(await two.withLeadership(KEY, async () => undefined), false)
  way.silence()
  let gotAt = 0
  while (gotAt === 0)
    await two.withLeadership(KEY, async ({ check }) => {
      gotAt = performance.now()
      await t.db.transaction((tx) => check(tx))
    })
  await first
  assert.ok(lostAt < gotAt, `lost at ${lostAt}, led by another at ${gotAt}`)
  assert.equal(await two.leaderSilence(KEY), null)
})

test('of two transactions that deadlock, the one that the database ends runs again', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await rows(t.db, sql`create table pairs (id text primary key, n int not null)`)
  await rows(t.db, sql`insert into pairs values ('a', 0), ('b', 0)`)
  let began = 0
  const first = Promise.withResolvers<void>()
  const add = (one: string, other: string) =>
    t.db.transaction(async (tx) => {
      await rows(tx, sql`update pairs set n = n + 1 where id = ${one}`)
      if (++began === 2) first.resolve()
      await first.promise
      await rows(tx, sql`update pairs set n = n + 1 where id = ${other}`)
    })
  await Promise.all([add('a', 'b'), add('b', 'a')])
  // three times, and once more for each time that it took back the first row before the other was told of it
  assert.ok(began >= 3, `one of them ran again: ${began}`)
  assert.deepEqual(await rows(t.db, sql`select n from pairs`), [{ n: 2 }, { n: 2 }])
})

test('a transaction that can never be serialized runs four times and then fails with the database’s error', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  let ran = 0
  const failing = t.db.transaction(async (tx) => {
    ran++
    await rows(tx, sql`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`)
  })
  await assert.rejects(failing, (error) => sqlState(error) === '40001')
  assert.equal(ran, 4)
  await assert.rejects(
    t.db.transaction(async (tx) => {
      ran++
      await rows(tx, sql`select 1 / 0`)
    }),
    (error) => sqlState(error) === '22012',
  )
  assert.equal(ran, 5, 'other failures are not repeated')
})
