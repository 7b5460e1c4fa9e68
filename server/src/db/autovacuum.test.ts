import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { vacuumTables } from './autovacuum.ts'
import { startParams } from './embedded.ts'

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
