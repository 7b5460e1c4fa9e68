import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from './client.ts'
import { openEmbedded } from './embedded.ts'

test('a data folder that cannot be created stops the start with a message that names the setting', async () => {
  const inAFile = `${import.meta.filename}/data`
  await assert.rejects(openEmbedded(inAFile), /^Error: Wrong setting\. DATA_DIR: /)
})

test('tables are vacuumed while the database is open, and closing waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-embedded-'))
  const database = await openEmbedded(folder)
  await rows(
    database.db,
    sql`insert into rate_limits (key, count, window_ends_at)
    select i::text, 1, now() from generate_series(1, 2000) i`,
  )
  t.mock.timers.tick(60_000)
  await database.close()
  const again = await openEmbedded(folder)
  const counted = await rows(again.db, sql`select reltuples from pg_class where relname = 'rate_limits'`)
  assert.deepEqual(counted, [{ reltuples: 2000 }], 'a table that was never tidied has -1')
  await again.close()
  await rm(folder, { recursive: true })
})
