import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { withoutPostgres } from '#server/testing/database.ts'
import { startPostgres } from '../../../tools/test/private-postgres.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { notify, rows } from './client.ts'
import { openPostgres } from './postgres.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

const ignore = (): void => undefined

async function server(standbyOf?: string) {
  const started = await startPostgres(
    standbyOf === undefined ? { crashes: true } : { crashes: true, standbyOf },
  )
  if ('why' in started) throw new Error(started.why)
  return { ...started, [Symbol.asyncDispose]: started.stop }
}

/** One address for all of these servers, in this order. */
const all = (...urls: string[]): string =>
  `postgres://befaqt@${urls.map((url) => new URL(url).host).join(',')}/postgres?target_session_attrs=read-write`

test('of several hosts the primary is used, wherever it stands; where another one is promoted, work goes on there', {
  skip: withoutPostgres,
}, async () => {
  await using one = await server()
  {
    await using database = await opened(one.url) // the tables are there before the standby
    await database.db.execute(sql`create table kept (id integer)`)
  }
  await using two = await server(one.url)
  await assert.rejects(
    openPostgres(two.url, ignore),
    /Wrong setting\. DATABASE_URL: 127\.0\.0\.1:\d+ is a standby, or only takes reads; the shop writes\. Name the primary/,
  )
  await assert.rejects(
    openPostgres(all(two.url, two.url), ignore),
    /DATABASE_URL: each of its hosts is a standby/,
  )

  await using database = await opened(all(two.url, one.url))
  await database.db.execute(sql`insert into kept values (1)`)
  const heard: string[] = []
  await database.listen('news', (payload) => void heard.push(payload))
  const follower = await opened(all(two.url, one.url))
  await eventually(async () => (await countOn(two.url)) === 1)

  await one.crash()
  const failed = await database.db.execute(sql`insert into kept values (2)`).catch((error: unknown) => error)
  assert.ok(isDatabaseUnreachable(failed), 'said as unreachable, so that it is tried again')
  await ask(two.url, 'select pg_promote(true)')
  await eventually(() =>
    database.db
      .transaction((tx) => tx.execute(sql`insert into kept values (3)`))
      .then(
        () => true,
        () => false,
      ),
  )
  assert.deepEqual(await rows(database.db, sql`select id from kept order by id`), [{ id: 1 }, { id: 3 }])
  await eventually(() => Promise.resolve(heard.includes(''))) // it may have missed some
  await eventually(async () => {
    await notify(follower.db, 'news', 'fish').catch(ignore)
    return heard.includes('fish')
  })
  let led = false
  await eventually(async () => {
    await database.withLeadership(advisoryLocks.anchoring, async ({ check }) => {
      await database.db.transaction((tx) => check(tx))
      led = true
    })
    return led
  })
  await follower.close()
})

test('a server that is a standby now is left, though its connections stay open', {
  skip: withoutPostgres,
}, async () => {
  await using one = await server()
  await using two = await server(one.url)
  await using database = await opened(all(one.url, two.url))
  await database.db.execute(sql`create table kept (id integer)`)
  await eventually(async () => (await countOn(two.url)) === 0)
  await ask(one.url, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
  await ask(two.url, 'select pg_promote(true)')
  await eventually(async () => {
    await database.db.transaction((tx) => tx.execute(sql`insert into kept values (1)`)).catch(ignore)
    return (await countOn(two.url)) === 1
  })
  assert.equal(await countOn(one.url), 0)
})

/** Asks until it is so; the test's own time ends it. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50)
}

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let last: unknown[] = []
    for (const statement of statements) last = (await client.query(statement)).rows
    return last
  } finally {
    await client.end()
  }
}

const countOn = async (url: string): Promise<number> => {
  const [row] = (await ask(url, 'select count(*)::int as n from kept').catch(() => [])) as { n: number }[]
  return row?.n ?? -1
}

async function opened(url: string) {
  const database = await openPostgres(url, ignore)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
