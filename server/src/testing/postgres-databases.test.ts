import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { testPostgresUrl, withoutPostgres } from './database.ts'
import { PostgresDatabases } from './postgres-databases.ts'

const databases = new PostgresDatabases(testPostgresUrl ?? '')
after(() => databases.close())

const skip = withoutPostgres

/** Runs a statement on a connection of its own. */
async function on(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a database that is given back is lent again empty and migrated, and nobody is connected to it', {
  skip,
}, async () => {
  const first = await databases.lend('usual')
  await on(
    first.url,
    `insert into categories (id, title, title_key, shelf_pos)
       select i::text, 'Fish', i::text, repeat('1', 200) from generate_series(1, 2000) i;
     insert into jobs (queue, payload) values ('a', '{}');
     analyze categories;
     create function f() returns trigger language plpgsql as 'begin return new; end';
     create trigger t before insert on jobs for each row execute function f()`,
  )
  const left = new pg.Client({ connectionString: first.url })
  const ended = new Promise((resolve) => left.on('error', resolve))
  await left.connect()
  await left.query('begin; update jobs set attempts = attempts')
  await first.giveBack()
  await ended

  const second = await databases.lend('usual')
  assert.equal(second.url, first.url)
  assert.deepEqual(
    await on(
      second.url,
      `select (select count(*) from categories)::int as rows, pg_relation_size('categories')::int as bytes,
         (select count(*) from jobs)::int as jobs, (select count(*) from pg_statistic s
            where s.starelid = 'categories'::regclass)::int as known,
         (select count(*) from pg_trigger where tgname = 't')::int as triggers`,
    ),
    [{ rows: 0, bytes: 0, jobs: 0, known: 0, triggers: 0 }],
  )
  await second.giveBack()
})

for (const [what, change] of [
  ['tables', 'alter table jobs add column more text'],
  ['settings', `do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`],
  ['schemas', 'create schema more'],
] as const)
  test(`a database whose ${what} were changed is dropped`, { skip }, async () => {
    const lent = await databases.lend('usual')
    await on(lent.url, change)
    await lent.giveBack()
    await assert.rejects(on(lent.url, 'select 1'), /does not exist/)
    const next = await databases.lend('usual')
    assert.notEqual(next.url, lent.url)
    await next.giveBack()
  })

test('two databases lent at once are different ones, and one of the other collation is another', {
  skip,
}, async () => {
  const lent = await Promise.all([databases.lend('usual'), databases.lend('usual'), databases.lend('C')])
  assert.equal(new Set(lent.map(({ url }) => url)).size, 3)
  for (const { giveBack } of lent) await giveBack()
  const byBytes = await databases.lend('C')
  assert.equal(byBytes.url, lent[2].url)
  assert.deepEqual(await on(byBytes.url, `select 'B' < 'a' as bytes`), [{ bytes: true }])
  await byBytes.giveBack()
})

test('one that is given back after the others were dropped is dropped, too', { skip }, async () => {
  const few = new PostgresDatabases(testPostgresUrl ?? '')
  const lent = await few.lend('usual')
  await few.close()
  await lent.giveBack()
  await assert.rejects(on(lent.url, 'select 1'), /does not exist/)
})
