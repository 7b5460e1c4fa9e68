import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import { withoutPostgres } from '#server/testing/database.ts'
import { shopWithBoxes } from '#server/testing/readings.ts'
import { eventually, postgresServer, statements } from '#server/testing/standbys.ts'
import { type Db, FROM_REPLICA, ONE_MOMENT, rows } from './client.ts'
import { openPostgres, type PostgresAddress } from './postgres.ts'

const ignore = (): void => undefined

async function opened(address: PostgresAddress) {
  const database = await openPostgres(address, ignore)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

type Answer = { newest: number; standby: boolean }

const NEWEST = sql`select coalesce(max(id), 0)::int as newest, pg_is_in_recovery() as standby from kept`

/** The newest row, and where it was read. */
const read = async (db: Db, config: typeof ONE_MOMENT = FROM_REPLICA): Promise<Answer> => {
  const [answer] = await db.transaction((tx) => rows<Answer>(tx, NEWEST), config)
  return answer ?? { newest: -1, standby: false }
}

const write = (db: Db, id: number): Promise<unknown> => db.execute(sql`insert into kept values (${id})`)

/** A primary with tables, and a standby of it. */
async function pair() {
  await using opening = new AsyncDisposableStack()
  const one = opening.use(await postgresServer())
  {
    await using database = await opened(one.url)
    await database.db.execute(sql`create table kept (id integer)`)
  }
  const two = opening.use(await postgresServer(one.url))
  const all = opening.move()
  return { one, two, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('a replica answers, and no reader sees an earlier state, in whichever process they wrote or read before', {
  skip: withoutPostgres,
}, async () => {
  await using servers = await pair()
  const { one, two } = servers
  await using here = await opened({ direct: one.url, replica: two.url })
  await using there = await opened({ direct: one.url, replica: two.url })
  await eventually(async () => (await read(here.db)).standby)
  for (let id = 1; id <= 100; id++) {
    await write(here.db, id)
    assert.deepEqual([(await read(there.db)).newest, (await read(here.db)).newest], [id, id])
  }
  assert.equal((await read(here.db, ONE_MOMENT)).standby, false, 'nothing else is read there')

  await statements(two.url, 'select pg_wal_replay_pause()')
  await write(here.db, 101)
  assert.deepEqual(await read(there.db), { newest: 101, standby: false })
  assert.equal((await there.replica?.look())?.fault, null, 'a moment behind is no fault')
  await statements(two.url, 'select pg_wal_replay_resume()')
  await eventually(async () => (await read(there.db)).standby)
  assert.equal((await read(there.db)).newest, 101)

  let asked = 0
  const refused = here.db.transaction(async (tx) => {
    asked++
    await tx.execute(sql`select 1`)
    throw new ShopError('box.not_found', 'There is no such box.')
  }, FROM_REPLICA)
  await assert.rejects(refused, ShopError)
  assert.equal(asked, 1, 'what the reader refuses is not asked again')
})

test('a replica that hangs, is away, breaks off or is promoted is told, and the primary answers', {
  skip: withoutPostgres,
}, async () => {
  await using servers = await pair()
  const { one, two } = servers
  await using database = await opened({ direct: one.url, replica: two.url })
  const { db } = database
  const faulty = (words: RegExp) => async () => words.test((await database.replica?.look())?.fault ?? '')
  const isBack = async () => (await database.replica?.look())?.fault === null && (await read(db)).standby
  await write(db, 1)
  await eventually(isBack)

  two.freeze()
  assert.deepEqual(await read(db), { newest: 1, standby: false })
  assert.ok(await faulty(/does not answer/)())
  two.thaw()
  await eventually(isBack)

  await two.crash()
  await write(db, 2)
  assert.deepEqual(await read(db), { newest: 2, standby: false })
  assert.ok(await faulty(/does not answer/)())
  await two.restart()
  await eventually(isBack)

  const places: boolean[] = []
  const found = await db.transaction(async (tx) => {
    const [at] = await rows<{ pid: number; standby: boolean }>(
      tx,
      sql`select pg_backend_pid() as pid, pg_is_in_recovery() as standby`,
    )
    places.push(at?.standby === true)
    if (at?.standby) await statements(two.url, `select pg_terminate_backend(${at.pid})`)
    return rows<Answer>(tx, NEWEST)
  }, FROM_REPLICA)
  assert.deepEqual([found[0]?.newest, places], [2, [true, false]], 'read again where it broke off')
  await eventually(isBack)

  await statements(two.url, 'select pg_promote(true)', 'insert into kept values (99)')
  assert.deepEqual(await read(db), { newest: 2, standby: false })
  assert.ok(await faulty(/^it is no standby: it was promoted, or is the primary$/)())
})

test('another database, the primary itself and a standby of the time before a takeover are no replicas', {
  skip: withoutPostgres,
}, async () => {
  await using servers = await pair()
  const { one, two } = servers
  await using three = await postgresServer(one.url)
  await using other = await postgresServer()
  const faultOf = async (direct: string, replica: string): Promise<string | null | undefined> => {
    await using database = await opened({ direct, replica })
    assert.equal((await read(database.db)).standby, false)
    return (await database.replica?.look())?.fault
  }
  assert.equal(await faultOf(one.url, other.url), 'it is not a replica of this database')
  assert.match((await faultOf(one.url, one.url)) ?? '', /^it is no standby/)
  await one.crash()
  await statements(two.url, 'select pg_promote(true)')
  assert.match(
    (await faultOf(two.url, three.url)) ?? '',
    /^it follows another history than that of the primary/,
  )
})

test('searches and proofs are read from the replica, and a search there ends with whoever waits for it', {
  skip: withoutPostgres,
}, async () => {
  await using servers = await pair()
  const { one, two } = servers
  const database = await opened({ direct: one.url, replica: two.url })
  await using shop = await shopWithBoxes(['BOX-1'], { open: async () => database })
  const get = async (url: string) => (await shop.app.inject(url)).statusCode
  const answered = async () => (await database.replica?.look())?.reads.replica ?? 0
  for (const url of ['/api/box/BOX-1/proof', '/api/box?q=BOX-1']) {
    const before = await answered()
    await eventually(async () => {
      assert.equal(await get(url), 200, url)
      return (await answered()) > before
    })
  }
  const leaves = new AbortController()
  const endless = async (db: Db): Promise<unknown> => {
    await db.execute(sql`set local statement_timeout = 0`) // so that nothing but cancelling ends it there
    return db.execute(sql`select pg_sleep(3600)`)
  }
  const search = shop.deps.search('managers', endless, leaves.signal)
  const ended = search.catch((error: unknown) => error)
  const sleeping = async () =>
    (
      await statements(
        two.url,
        `select from pg_stat_activity where query like 'select pg_sleep%'
        and state = 'active'`,
      )
    ).length
  await Promise.race([eventually(async () => (await sleeping()) === 1), ended])
  leaves.abort()
  assert.ok((await ended) instanceof ShopError, 'cancelled there, not given up here')
  assert.equal(await sleeping(), 0)
})
