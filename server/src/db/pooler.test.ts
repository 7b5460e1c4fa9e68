import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openPgbouncer, withoutPgbouncer } from '#server/testing/pgbouncer.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { notify, rows } from './client.ts'
import { openPostgres } from './postgres.ts'

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
      sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${advisoryLocks.migration}`,
    )
    assert.deepEqual(left, [])
    await using again = await opened(t.url) // another process starts
    assert.deepEqual(await rows(again.db, sql`select 1 as one`), [{ one: 1 }])
    await assert.rejects(openPostgres(pooler.url, ignore), wrong)
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

async function opened(url: string) {
  const database = await openPostgres(url, ignore)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
