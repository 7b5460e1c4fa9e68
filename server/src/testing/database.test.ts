import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDb } from './database.ts'
import { testShop } from './shop.ts'

const startedAt = sql`select pg_postmaster_start_time()::text as at`

test('a test database is reused by the next test in its migrated state', async () => {
  const first = await testShop()
  const started = await rows(first.database.db, startedAt)
  await first[Symbol.asyncDispose]()
  await using second = await testDb()
  assert.deepEqual(await rows(second.db, startedAt), started)
})
