import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { rows } from './client.ts'
import { databaseWarnings } from './open-database.ts'

test('sorting rules that changed under the indexes, and JIT, are named with what to run', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const { db } = t
  const about = async (words: RegExp) =>
    (await databaseWarnings(db)).filter((sentence) => words.test(sentence))
  assert.deepEqual(await about(/sorting rules/), [])
  await rows(db, sql`update pg_database set datcollversion = '0.1' where datname = current_database()`)
  const [database] = await about(/sorting rules/)
  assert.match(database ?? '', /version 0\.1 of its sorting rules, and the system has [\d.]+ now/)
  assert.match(
    database ?? '',
    /reindex database befaqt_test_\w+; alter database befaqt_test_\w+ refresh collation version;$/,
  )
  await rows(db, sql.raw(/alter database \w+ refresh collation version/.exec(database ?? '')?.[0] ?? ''))
  assert.deepEqual(await about(/sorting rules/), [], 'what it says to run helps')

  await rows(db, sql`create collation swedish (provider = icu, locale = 'sv')`)
  await rows(db, sql`update pg_collation set collversion = '0.1' where collname = 'swedish'`)
  assert.deepEqual(await about(/swedish/), [], 'no column uses it')
  await rows(db, sql`create table fish (name text collate swedish primary key)`)
  assert.match((await about(/swedish/))[0] ?? '', /alter collation swedish refresh collation version;$/)

  assert.deepEqual(await about(/^JIT /), [], 'the shop turns it off for its connections')
  const [connected, hasJit] = await db.transaction(async (tx) => {
    await rows(tx, sql`select set_config('jit', 'on', true)`)
    const [found] = await rows<{ has: boolean }>(tx, sql`select pg_jit_available() as has`) // and turned on
    return [await databaseWarnings(tx as never), found?.has] as const
  })
  assert.equal(
    connected.some((sentence) => /^JIT .* set jit = off;$/.test(sentence)),
    hasJit,
  )
})
