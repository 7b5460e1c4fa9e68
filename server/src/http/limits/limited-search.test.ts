import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShopError } from '@befaqt/domain/errors'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { shopWithBoxes } from '#server/testing/readings.ts'
import { limitedSearch } from './limited-search.ts'

const asleep = (db: Db, s = 60) => rows(db, sql`select pg_sleep(${s})`)
const running = (db: Db) =>
  rows(
    db,
    sql`select pid from pg_stat_activity where query like 'select pg_sleep%'
  and state = 'active' and datname = current_database() and pid <> pg_backend_pid()`,
  )

test('however many search, others get a connection at once; too many are told to come back', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const search = limitedSearch(t)
  const all = Array.from({ length: 20 }, () =>
    search('managers', (db) => asleep(db, 0.5)).catch((error) => error),
  )
  await sleep(200)
  const began = performance.now()
  await rows(t.db, sql`select 1`)
  assert.ok(performance.now() - began < 400, 'a connection was free')
  await search('visitors', (db) => rows(db, sql`select 1`)) // and theirs, too
  const results = await Promise.all(all)
  const refused = results.filter((one) => one instanceof ShopError)
  assert.equal(refused.length, 12)
  assert.ok(refused.every(({ code }) => code === 'rate.limited'))
})

test('a search ends after five seconds, and says so', { skip: withoutPostgres }, async () => {
  await using t = await testPostgres()
  const began = performance.now()
  await assert.rejects(
    limitedSearch(t)('managers', (db) => asleep(db)),
    {
      code: 'unavailable',
      message: /took too long/,
    },
  )
  assert.ok(performance.now() - began < 15_000)
  const [kept] = await rows<{ limit: string }>(
    t.db,
    sql`select current_setting('statement_timeout') as limit`,
  )
  assert.equal(kept?.limit, '1min', 'for the search alone')
})

test('a search that nobody waits for any more ends in the database', { skip: withoutPostgres }, async () => {
  await using t = await testPostgres()
  const search = limitedSearch(t)
  const leaving = new AbortController()
  const searching = search('managers', (db) => asleep(db), leaving.signal).catch((error) => error)
  while ((await running(t.db)).length === 0) await sleep(20)
  leaving.abort()
  assert.ok((await searching) instanceof Error)
  assert.deepEqual(await running(t.db), [])
  assert.deepEqual(await search('managers', (db) => rows(db, sql`select 1 as one`)), [{ one: 1 }])
})

for (const [name, open] of testDatabases)
  test(`${name}: searches of boxes find what they found`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open })
    const found = await shop.app.inject('/api/box?q=box-2')
    assert.deepEqual(
      found.json().rows.map(({ boxID }: { boxID: string }) => boxID),
      ['BOX-2'],
    )
    const managed = await shop.admin('GET', `/api/manage/box?q=${sampleBox().fisher.boat}`)
    assert.equal(managed.statusCode, 200, managed.body)
    assert.equal((await shop.admin('GET', '/api/order/all?q=nobody')).json().total, 0)
  })
