import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { withoutPostgres } from '#server/testing/database.ts'
import { type Restorable, restorablePostgres } from '#server/testing/restorable.ts'
import { askUntil, startWorkerProcess } from '#server/testing/worker-process.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { readMigrations } from './schema-version.ts'

/** An empty database and a DATA_DIR for several processes, and somebody who looks from outside. */
async function emptyShop(place: Restorable) {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-migrate-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const url = place.env.DATABASE_URL ?? ''
  const connect = async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined) // the database is dropped at the end
    await client.connect()
    opened.defer(() => client.end())
    return async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(sql, values)).rows
  }
  const [query, inTransaction] = [await connect(), await connect()]
  const all = opened.move()
  return {
    start: () => startWorkerProcess({ DATABASE_URL: url, DATA_DIR: folder }),
    ...{ query, inTransaction },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
type EmptyShop = Awaited<ReturnType<typeof emptyShop>>

/** Processes that wait for the lock of the migrations, and their place in the server. */
const WAITING = `select pid from pg_locks l join pg_database d on d.oid = l.database
  where locktype = 'advisory' and objid = $1 and not granted and d.datname = current_database()`

const done = async ({ query }: EmptyShop): Promise<number[]> =>
  (await query<{ at: string }>('select created_at as at from drizzle.__drizzle_migrations order by 1')).map(
    ({ at }) => Number(at),
  )
const wanted = readMigrations()
  .map(({ folderMillis }) => folderMillis)
  .sort((a, b) => a - b)

test('PostgreSQL: of processes that start at once on an empty database one migrates, and the others wait for it', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  await using shop = await emptyShop(place)
  // Whoever holds the lock first is this test, so that all of them have to come by it.
  await shop.query('select pg_advisory_lock($1)', [advisoryLocks.migration])
  const starting = [shop.start(), shop.start(), shop.start()]
  await askUntil(
    () => shop.query(WAITING, [advisoryLocks.migration]),
    (waiting) => waiting.length === 3,
  )
  await shop.query('select pg_advisory_unlock($1)', [advisoryLocks.migration])
  const processes = await Promise.all(starting)
  try {
    assert.deepEqual(await done(shop), wanted, 'each migration once')
    for (const { ask } of processes) assert.equal((await ask('/readyz')).status, 200)
  } finally {
    for (const one of processes) await one[Symbol.asyncDispose]()
  }
})

test('PostgreSQL: a process that dies in the middle of a migration leaves nothing of it, and the one that waits does all', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  await using shop = await emptyShop(place)
  // All migrations are one transaction, which comes to a stand where it writes down the first.
  await shop.query('create schema drizzle')
  await shop.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  await shop.inTransaction('begin')
  await shop.inTransaction('lock table drizzle.__drizzle_migrations in share mode') // it can be read, and not be written
  const first = shop.start().catch((error: unknown) => String(error))
  const [stuck] = await askUntil(
    () => shop.query<{ pid: number }>(STUCK),
    (found) => found.length > 0,
  )
  const second = shop.start()
  await askUntil(
    () => shop.query(WAITING, [advisoryLocks.migration]),
    (waiting) => waiting.length === 1,
  )
  await shop.query('select pg_terminate_backend($1)', [stuck?.pid])
  assert.match(String(await first), /terminat|could not|unavailable|Connection/i, 'it says so, and ends')
  await shop.inTransaction('rollback')
  await using survivor = await second
  assert.deepEqual(await done(shop), wanted)
  assert.equal((await survivor.ask('/readyz')).status, 200)
})

/** Who migrates, and waits for a table to write down what it did. */
const STUCK = `select a.pid from pg_stat_activity a
  where a.datname = current_database() and a.wait_event_type = 'Lock' and a.query ilike '%__drizzle_migrations%'`
