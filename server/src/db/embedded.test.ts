import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { emptyDatabase } from '#server/testing/empty-database.ts'
import { rows } from './client.ts'
import { openEmbedded, startParams, vacuumTables } from './embedded.ts'
import { readingAsDrizzle } from './statements.ts'

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

test('values are read as Drizzle reads them, and the engine copies its readers for no query', async (t) => {
  const lite = await PGlite.create({ loadDataDir: (await emptyDatabase()) as Blob, startParams })
  t.after(() => lite.close())
  const options: object[] = []
  const listened = new Proxy(lite, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'query') options.push(Object(args[2]))
        return Reflect.apply(value, of, args)
      }
    },
  })
  const asked = sql`select timestamp '2026-11-29 01:02:03.456' as a, timestamptz '2026-11-29 01:02:03.456+11' as b,
    interval '26 hours' as c, date '2026-11-29' as d, array[1.50, 2] as e, array[timestamp '2026-11-29'] as f,
    array[timestamptz '2026-11-29 00:00Z'] as g, array[interval '1 day'] as h, array[date '2026-11-29'] as i,
    1.50 as j, 9007199254740993 as k, '{"a": [1]}'::jsonb as l, array['x'] as m, true as n, null as o, '\\x00ff'::bytea as p`
  const alone = (await drizzle(lite).execute(asked)).rows
  const db = drizzle(readingAsDrizzle(listened))
  assert.deepEqual((await db.transaction((tx) => tx.execute(asked))).rows, alone)
  assert.deepEqual((await db.execute(asked)).rows, alone)
  assert.deepEqual(
    options.map((one) => Object.keys(one)),
    [['rowMode']],
  )
})

const ROWS = 3_000

test('tables with many changed rows are vacuumed, once, also when the changes were made before the database was opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-autovacuum-'))
  let lite = await PGlite.create(folder, { startParams })
  const update = () => lite.exec(`update fish set weight = weight + 1`)
  const pages = async (): Promise<number> => {
    const { rows } = await lite.query<{ pages: number }>(
      `select pg_relation_size('fish')::int / 8192 as pages`,
    )
    return rows[0]?.pages ?? 0
  }
  await lite.exec(`create table fish (id int primary key, weight int, name text); create table "Odd name" (id int);
    insert into fish select i, i, repeat('snapper', 20) from generate_series(1, ${ROWS}) i;
    insert into "Odd name" select generate_series(1, 5)`)
  assert.deepEqual(await vacuumTables(lite), ['public.fish'])
  assert.deepEqual(await vacuumTables(lite), [])

  await update()
  const grown = await pages()
  assert.deepEqual(await vacuumTables(lite), ['public.fish'])
  for (let i = 0; i < 5; i++) {
    await update()
    await vacuumTables(lite)
  }
  assert.ok((await pages()) <= grown + 2, 'the room of dead rows is used again')

  await lite.exec('insert into "Odd name" select generate_series(1, 2000)')
  assert.deepEqual(await vacuumTables(lite), ['public."Odd name"'])

  await lite.exec(`create table crab (id int, name text);
    insert into crab select i, repeat('mud', 100) from generate_series(1, ${ROWS}) i`)
  await lite.close()
  lite = await PGlite.create(folder, { startParams })
  assert.deepEqual(await vacuumTables(lite), ['public.crab'])
  assert.deepEqual(await vacuumTables(lite), [])
  await lite.close()
  await rm(folder, { recursive: true })
})
