import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { readConfig } from '#server/config/config.ts'
import { rows } from '#server/db/client.ts'
import { addBox } from '#server/testing/anchoring.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openPgbouncer, withoutPgbouncer } from '#server/testing/pgbouncer.ts'
import { configure, databaseAt, postgresServer, statements } from '#server/testing/standbys.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { startPostgres } from '../../../tools/test/private-postgres.ts'
import { doctor } from './doctor.ts'

const withPooler = withoutPostgres || withoutPgbouncer
const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options'

/** What is said of a shop with these addresses, a line each. */
async function said(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-doctor-test-'))
  const config = readConfig({ DATA_DIR: folder, PORT: `${await freePort()}`, ...env })
  const lines: string[] = []
  for await (const { check, level, words, todo } of doctor({ config, deep: false }))
    lines.push(`${level} ${check}: ${words} ${todo ?? ''}`)
  await rm(folder, { recursive: true })
  return lines.join('\n')
}

test('a pooler in transaction mode alone is a fault, and its connections stay as they were', {
  skip: withPooler,
}, async () => {
  await using t = await testPostgres()
  const one = ['pool_mode = transaction', 'default_pool_size = 1', IGNORED]
  await using pooler = await openPgbouncer(t.url, one)
  assert.match(
    await said({ DATABASE_URL: pooler.url }),
    /fault sessions: DATABASE_URL: a connection pooler in transaction mode answers there/,
  )
  const client = new pg.Client({ connectionString: pooler.url })
  await client.connect()
  const left = await client.query(
    `select current_setting('default_transaction_read_only') as ro, current_setting('statement_timeout') as ms`,
  )
  assert.deepEqual(left.rows, [{ ro: 'off', ms: '0' }])
  await client.end()
})

test('JIT, limits and the modes of poolers are told; notifications are tried', {
  skip: withPooler,
}, async () => {
  await using t = await testPostgres()
  await using pooler = await openPgbouncer(t.url, ['pool_mode = transaction'])
  await using session = await openPgbouncer(t.url, ['pool_mode = session', IGNORED])
  const both = await said({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: t.url })
  assert.match(both, /ok sessions: Nothing is wrong/)
  assert.match(both, /warning server: Nothing ends a statement .*\. Run: alter role/)
  await rows(t.db, sql.raw(`alter database ${new URL(t.url).pathname.slice(1)} set jit = on`))
  assert.match(
    await said({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: t.url }),
    /warning server: JIT compilation is on .*\. Run: alter database \w+ set jit = off/,
  )
  assert.doesNotMatch(await said({ DATABASE_URL: t.url }), /JIT/, 'the shop turns it off itself')
  assert.match(
    await said({ DATABASE_URL: session.url, DATABASE_DIRECT_URL: t.url }),
    /warning sessions: DATABASE_URL: the pooler there is in session mode/,
  )
  assert.match(
    await said({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: session.url }),
    /warning sessions: DATABASE_DIRECT_URL: a pooler answers there too/,
  )
  assert.match(await said({ DATABASE_URL: session.url }), /note sessions: A pooler in session mode answers/)
  assert.match(
    await said({ DATABASE_URL: t.url, DATABASE_DIRECT_URL: t.url }),
    /note sessions: No pooler answers at DATABASE_URL/,
  )
  assert.match(
    await said({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.url }),
    /fault sessions: DATABASE_DIRECT_URL: a connection pooler in transaction mode/,
  )
  await using other = await testPostgres()
  assert.match(
    await said({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: other.url }),
    /fault sessions: DATABASE_URL and DATABASE_DIRECT_URL lead to different databases/,
  )
})

test('a host with a typo, hosts of two databases, and a server that is not there are told', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const { host, pathname } = new URL(t.url)
  const typo = await said({ DATABASE_URL: `postgres://befaqt@${host},nowhere.invalid:5432${pathname}` })
  assert.match(
    typo,
    /warning database: DATABASE_URL: nowhere\.invalid:5432, one of 2 hosts, can't be used: (unknown host|DNS)/,
  )
  assert.match(typo, /ok migrations/)
  const other = await startPostgres()
  assert.ok('url' in other)
  try {
    const hosts = `${host},${new URL(other.url).host}`
    assert.match(
      await said({ DATABASE_URL: `postgres://befaqt@${hosts}/postgres` }),
      /fault database: DATABASE_URL: its hosts are of 2 different databases/,
    )
    assert.match(await said({ DATABASE_URL: other.url }), /note migrations: The database is empty/)
  } finally {
    await other.stop()
  }
  assert.match(
    await said({ DATABASE_URL: `postgres://befaqt@${host}/no_such_shop` }),
    /fault database: DATABASE_URL: the server has no database no_such_shop/,
  )
})

test('a standby as the only host is a fault, and is read all the same; two primaries are one, too', {
  skip: withoutPostgres,
}, async () => {
  const primary = await startPostgres()
  assert.ok('url' in primary)
  const standby = await startPostgres({ standbyOf: primary.url })
  assert.ok('url' in standby)
  try {
    const alone = await said({ DATABASE_URL: standby.url })
    assert.match(alone, /fault database: DATABASE_URL: 127\.0\.0\.1:\d+ only takes reads/)
    assert.match(alone, /note migrations: The database is empty/)
    const hosts = `postgres://befaqt@${new URL(standby.url).host},${new URL(primary.url).host}/postgres`
    assert.match(await said({ DATABASE_URL: hosts }), /ok database: .*PostgreSQL [\d.]+.*, standby; /)
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    await client.query('select pg_promote(true)')
    await client.end()
    assert.match(await said({ DATABASE_URL: hosts }), /fault database: .* both take writes/)
  } finally {
    await standby.stop()
    await primary.stop()
  }
})

test('a synchronous standby that is missing or hangs, and a replica that is away, behind, promoted or another, are told', {
  skip: withoutPostgres,
}, async () => {
  await using one = await postgresServer()
  await using database = await databaseAt(one.url)
  await addBox(database.db, 'BOX-1')
  const alone = await said({ DATABASE_URL: one.url })
  assert.match(alone, /note standbys: No standby follows, and none is wanted/)
  assert.doesNotMatch(alone, / replica:/)
  assert.match(
    await said({ DATABASE_URL: one.url, DATABASE_READ_URL: one.url }),
    /warning replica: .*it is no standby/,
  )
  await using other = await postgresServer()
  await using _ = await databaseAt(other.url)
  await using two = await postgresServer(one.url)
  const env = { DATABASE_URL: one.url, DATABASE_READ_URL: two.url }
  await configure(one.url, `set synchronous_standby_names = 'nobody'`)
  try {
    assert.match(await said(env), /fault standbys: The database: 0 of 1 synchronous standby is connected/)
  } finally {
    await configure(one.url, 'reset synchronous_standby_names')
  }
  const good = await said(env)
  assert.match(good, /ok standbys: 1 standbys follow, and have all; commits wait for 0 of them/)
  assert.match(good, /ok replica: The replica at 127\.0\.0\.1:\d+ has all/)
  assert.match(
    await said({ ...env, DATABASE_READ_URL: other.url }),
    /warning replica: DATABASE_READ_URL: .*: it is not a replica of this database/,
  )
  await statements(two.url, 'select pg_wal_replay_pause()')
  await addBox(database.db, 'BOX-2')
  assert.match(await said(env), /warning replica: DATABASE_READ_URL: 127\.0\.0\.1:\d+: it is behind/)
  await statements(two.url, 'select pg_wal_replay_resume()')
  two.freeze()
  await addBox(database.db, 'BOX-3')
  const hangs = await said(env)
  assert.match(
    hangs,
    /warning standbys: The database: the standby .* more than 2 s behind, and nothing waits/,
  )
  assert.match(hangs, /warning replica: DATABASE_READ_URL: /)
  two.thaw()
  await statements(two.url, 'select pg_promote(true)')
  assert.match(await said(env), /warning replica: .*(it is no standby|another history)/)
  const gone = `postgres://befaqt@127.0.0.1:${await freePort()}/postgres`
  assert.match(
    await said({ ...env, DATABASE_READ_URL: gone }),
    /warning replica: DATABASE_READ_URL: connection refused .*The primary answers all reads meanwhile/,
  )
})

test('sorting rules that changed under the indexes are told', { skip: withoutPostgres }, async () => {
  await using t = await testPostgres()
  await rows(t.db, sql`update pg_database set datcollversion = '1.0' where datname = current_database()`)
  assert.match(
    await said({ DATABASE_URL: t.url }),
    /warning server: The indexes of the database were built with version 1\.0 of its sorting rules.* Stop the shop and run: reindex/,
  )
})

test('migrations that are missing or newer are told, and a table that is locked holds nothing up', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const kept = await rows<{ created_at: string; hash: string }>(
    t.db,
    sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations) returning *`,
  )
  assert.match(
    await said({ DATABASE_URL: t.url }),
    /warning migrations: 1 migrations of this version have not been run/,
  )
  const [last] = kept
  await rows(
    t.db,
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000), (${last?.hash}, ${last?.created_at})`,
  )
  const newer = await said({ DATABASE_URL: t.url })
  assert.match(
    newer,
    /fault migrations: The database was made by a newer version of the shop: it has 1 migrations/,
  )
  assert.doesNotMatch(newer, / jobs:/, 'whose tables may be others')
  await rows(t.db, sql`delete from drizzle.__drizzle_migrations where hash = 'x'`)
  await t.db.transaction(async (tx) => {
    await rows(tx, sql`lock table jobs in access exclusive mode`)
    const locked = await said({ DATABASE_URL: t.url })
    assert.match(locked, /warning jobs: This could not be found out: .*lock timeout/)
    assert.match(locked, /ok anchors/)
  })
})
