import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { testDb, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openPgbouncer, withoutPgbouncer } from '#server/testing/pgbouncer.ts'
import { type Database, rows } from './client.ts'
import { openPostgres } from './postgres.ts'
import { countSlowStatements, type SlowStatements, slowStatements } from './slow-statements.ts'

type Line = { ms: number; statement: string; plan?: string; noPlan?: string }

/** Statements that may be slow on a busy machine, and are not the test's. */
const OF_OTHERS = /^(?!select|update)|to_regclass|__drizzle|pg_/

/** Lines of the log, and what writes them. */
function heard(limitMs: number, pauseMs = 0) {
  const lines: Line[] = []
  const warn = (line: Line): void => {
    if (!OF_OTHERS.test(line.statement)) lines.push(line)
  }
  const slow = slowStatements(limitMs, { warn } as never, pauseMs)
  const until = async (n: number): Promise<Line[]> => {
    while (lines.length < n) await sleep(10)
    return lines
  }
  return { lines, slow, until }
}

type Opened = Database & AsyncDisposable

const ways: [string, false | string, (slow: SlowStatements) => Promise<Opened>][] = [
  ['embedded', false, (slow) => testDb(slow)],
  ['PostgreSQL', withoutPostgres, onPostgres],
  ['PgBouncer with one connection', withoutPostgres || withoutPgbouncer, onPgbouncer],
]

async function onPostgres(slow: SlowStatements): Promise<Opened> {
  const t = await testPostgres()
  const database = await openPostgres(t.url, () => undefined, undefined, slow)
  return { ...database, [Symbol.asyncDispose]: () => database.close().then(() => t[Symbol.asyncDispose]()) }
}

async function onPgbouncer(slow: SlowStatements): Promise<Opened> {
  const t = await testPostgres()
  const pooler = await openPgbouncer(t.url, ['pool_mode = transaction', 'default_pool_size = 1'])
  const database = await openPostgres({ direct: t.url, pooler: pooler.url }, () => undefined, undefined, slow)
  const close = async (): Promise<void> => {
    await database.close()
    await pooler[Symbol.asyncDispose]()
    await t[Symbol.asyncDispose]()
  }
  return { ...database, [Symbol.asyncDispose]: close }
}

const SLOW = 200

for (const [name, skip, open] of ways) {
  test(`${name}: a slow statement is told once with its plan, without its values, and is not run again`, {
    skip,
  }, async () => {
    const { lines, slow, until } = heard(SLOW)
    await using database = await open(slow)
    const { db } = database
    await rows(db, sql`create sequence runs`) // which no rollback sets back
    await rows(
      db,
      sql`create function takes_long(text) returns text language plpgsql volatile as
        $$ begin perform nextval('runs'), pg_sleep(0.25); return $1; end $$`,
    )
    await rows(db, sql`insert into jobs (queue, payload) values ('secret-of-ann', '{}')`)
    const before = countSlowStatements()
    await rows(db, sql`select takes_long(payload::text) from jobs where queue = ${'secret-of-ann'}`)
    await until(1)
    const asked = ['secret-of-ann', 'secret-of-bob', 'x']
    for (let i = 0; i < 3; i++)
      await rows(
        db,
        sql`update jobs set last_error = takes_long('ours') where queue in ${asked.slice(0, i + 1)} returning id`,
      )
    await until(2)
    await sleep(300)
    assert.equal(lines.length, 2, JSON.stringify(lines))
    assert.ok(countSlowStatements() - before >= 4)
    const [read, written] = lines
    assert.match(read?.plan ?? JSON.stringify(read), /on jobs[\s\S]*queue = \$1/i)
    assert.match(written?.plan ?? JSON.stringify(written), /^Update on jobs/)
    assert.match(written?.statement ?? '', /last_error = takes_long\('\?'\) where queue in \(\$1\)/)
    assert.ok((written?.ms ?? 0) >= SLOW)
    assert.doesNotMatch(JSON.stringify(lines), /secret-of|ours/)
    const left = await rows(db, sql`select name from pg_prepared_statements where name like 'slow%'`)
    assert.deepEqual(left, [])
    const ran = await rows<{ n: number }>(db, sql`select last_value::int as n from runs`)
    assert.deepEqual(ran, [{ n: 4 }], 'planning ran nothing')
  })

  test(`${name}: a plan is asked for in a transaction of its own, also where the statement is in one that fails`, {
    skip,
  }, async () => {
    const { slow, until } = heard(SLOW)
    await using database = await open(slow)
    await rows(
      database.db,
      sql`create function takes_long(text) returns text language plpgsql volatile as
        $$ begin perform pg_sleep(0.25); return $1; end $$`,
    )
    const failing = database.db.transaction(async (tx) => {
      await rows(tx, sql`select takes_long('x'), count(*) from jobs where queue = ${'x'}`)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    const [line] = await until(1)
    assert.match(line?.plan ?? JSON.stringify(line), /Aggregate/)
  })
}

test('what is slow all at once is told one in ten seconds, and what failed is not told', async () => {
  const { lines, slow, until } = heard(10, 10_000)
  for (let i = 0; i < 50; i++) slow.note(`select ${'a'.repeat(i + 1)} from jobs`, 20)
  slow.note('select fast', 9)
  slow.note('select broken', 20, Object.assign(new Error('no'), { code: '57P01' }))
  await until(1)
  await sleep(50)
  assert.deepEqual(
    lines.map(({ statement, noPlan }) => [statement, noPlan]),
    [['select a from jobs', 'the shop was starting']],
  )
})

test('a statement that the limit of time ended is told', async () => {
  const { slow, until } = heard(10)
  slow.note('select endless', 60_000, Object.assign(new Error('no'), { code: '57014' }))
  const [line] = await until(1)
  assert.equal(line?.ms, 60_000)
})
