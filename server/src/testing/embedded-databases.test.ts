import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { startParams } from '#server/db/embedded.ts'
import { EmbeddedDatabases } from './embedded-databases.ts'

let created = 0
const databases = new EmbeddedDatabases(async () => {
  created += 1
  const lite = await PGlite.create({ startParams })
  await lite.exec(`
    create schema drizzle;
    create table drizzle.__drizzle_migrations (hash text);
    create table version (n integer);
    insert into version values (7);
    create table jobs (id integer generated always as identity, word text);
    create function of_migrations() returns trigger language plpgsql as 'begin return new; end';
    create trigger of_migrations before update on jobs for each row execute function of_migrations()`)
  return lite
})
after(() => databases.close())

const jobs = async (lite: PGlite) =>
  (await lite.query(`insert into jobs (word) values ('a') returning id`)).rows

test('a closed test database is reused empty and migrated, without functions and subscriptions added since', async () => {
  const first = await databases.open()
  const heard: string[] = []
  await first.listen('news', (payload) => heard.push(payload))
  assert.deepEqual(await jobs(first), [{ id: 1 }])
  await first.exec(`
    update version set n = 8; set work_mem = '5MB'; select pg_advisory_lock(1);
    create function f() returns trigger language plpgsql as 'begin return new; end';
    create trigger t before insert on jobs for each row execute function f()`)
  await first.close()

  const second = await databases.open()
  assert.equal(created, 1)
  assert.deepEqual((await second.query('select n from version')).rows, [{ n: 7 }])
  assert.deepEqual(await jobs(second), [{ id: 1 }])
  assert.deepEqual((await second.query('show work_mem')).rows, [{ work_mem: '4MB' }])
  assert.deepEqual(
    (await second.query('select count(*)::int as n from pg_locks where locktype = $1', ['advisory'])).rows,
    [{ n: 0 }],
  )
  assert.deepEqual((await second.query('select tgname from pg_trigger where not tgisinternal')).rows, [
    { tgname: 'of_migrations' },
  ])
  await second.query(`select pg_notify('news', 'x')`)
  assert.deepEqual(heard, [])
  await second.close()
})

test('two test databases open at once are different ones', async () => {
  const [one, other] = await Promise.all([databases.open(), databases.open()])
  await jobs(one)
  assert.deepEqual((await other.query('select id from jobs')).rows, [])
  await Promise.all([one.close(), other.close()])
})

test('a test database whose tables were changed is not reused', async () => {
  const lite = await databases.open()
  const before = created
  await lite.exec('alter table jobs add column more text')
  await lite.close()
  const [one, other] = await Promise.all([databases.open(), databases.open()])
  assert.equal(created, before + 1)
  for (const next of [one, other])
    assert.deepEqual(
      (await next.query('select * from jobs limit 0')).fields.map(({ name }) => name),
      ['id', 'word'],
    )
  await Promise.all([one.close(), other.close()])
})

test('queries after a test database was closed are rejected', async () => {
  const lite = await databases.open()
  await lite.close()
  await assert.rejects(lite.query('select 1'), /PGlite is closed/)
  await assert.rejects(
    lite.transaction((tx) => tx.query('select 1')),
    /PGlite is closed/,
  )
  await assert.rejects(lite.close(), /PGlite is closed/)
})

test('a database released after the others were closed is closed, too, so that the process ends', async () => {
  const made: PGlite[] = []
  const few = new EmbeddedDatabases(async () => {
    const lite = await PGlite.create()
    await lite.exec('create schema drizzle; create table drizzle.__drizzle_migrations (hash text)')
    made.push(lite)
    return lite
  })
  const lite = await few.open()
  await few.close()
  await lite.close()
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [true],
  )
})
