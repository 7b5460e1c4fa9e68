import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { following } from '#server/testing/following.ts'
import { type Database, notify, rows, type Tx } from './client.ts'
import { openEmbedded } from './embedded.ts'
import { appendEvent, changeWithEvent, eventKinds, eventRetention } from './events.ts'
import { numberEvents } from './number-events.ts'
import { openPostgres } from './postgres.ts'
import { purge } from './retention.ts'

const grown = (database: Pick<Database, 'db'>, ...boxes: string[]): Promise<number> =>
  database.db.transaction((tx) => appendEvent(tx, eventKinds.boxGrown, boxes))

/** Commits events as a process does that is killed before it tells anybody. */
const grownAndKilled = async ({ db }: Database, from: number, to: number): Promise<unknown> =>
  rows(
    db,
    sql`insert into events (kind, keys, at)
        select ${eventKinds.boxGrown}, array['B' || i], now() - interval '2 seconds'
        from generate_series(${from}::int, ${to}::int) i`,
  )

const numbersOf = async ({ db }: Database): Promise<(number | null)[]> =>
  (await rows<{ number: string | null }>(db, sql`select number from events order by id`)).map(({ number }) =>
    number === null ? null : Number(number),
  )

const another = async (url: string): Promise<Database & AsyncDisposable> => {
  const database = await openPostgres(url, () => undefined)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

for (const [name, open] of testDatabases) {
  test(`${name}: an event is heard once, in the order of the commits, and not of what was rolled back or changed nothing`, async () => {
    await using t = await open()
    const at = await following(t)
    await grown(t, 'A')
    await assert.rejects(
      t.db.transaction(async (tx) => {
        await appendEvent(tx, eventKinds.boxGrown, ['NO'])
        throw new Error('on purpose')
      }),
    )
    const none = (tx: Tx) => changeWithEvent(tx, eventKinds.boxGrown, sql`select 'NO' as id where false`)
    await t.db.transaction(none)
    await t.db.transaction((tx) =>
      changeWithEvent(tx, eventKinds.boxGrown, sql`select * from (values ('B'), ('C')) v(id)`),
    )
    await t.db.transaction((tx) => appendEvent(tx, eventKinds.catalogueChanged, null))
    await t.db.transaction((tx) => appendEvent(tx, eventKinds.catalogueChanged, []))
    await at.until(4)
    assert.deepEqual(
      at.heard.map(({ kind, keys }) => [kind, keys]),
      [
        ['box.grown', ['A']],
        ['box.grown', ['B', 'C']],
        ['catalogue.changed', null],
        ['catalogue.changed', []],
      ],
    )
    assert.deepEqual(await numbersOf(t), [1, 2, 3, 4])
    assert.equal(at.missed(), 1, 'at its start alone')
    await at.stop()
  })

  test(`${name}: a follower that is far behind reads in windows, all and in order`, async () => {
    await using t = await open()
    const at = await following(t)
    await grownAndKilled(t, 1, 2_600)
    t.tell(['events'])
    await at.until(2_600)
    assert.deepEqual(
      at.boxes(),
      Array.from({ length: 2_600 }, (_, i) => `B${i + 1}`),
    )
    assert.equal(at.missed(), 1)
    await at.stop()
  })

  test(`${name}: an event of a kind that only a newer process knows is passed over, not stopped at`, async () => {
    await using t = await open()
    const at = await following(t)
    await rows(t.db, sql`insert into events (kind, keys) values ('moon.risen', '{1}')`)
    await grown(t, 'A')
    await at.until(2)
    assert.deepEqual(
      at.heard.map(({ kind }) => kind),
      ['moon.risen', 'box.grown'],
    )
    await at.stop()
  })

  test(`${name}: a follower is told that it missed some when they were deleted, or numbers went back with a restored database`, async () => {
    await using t = await open()
    await grown(t, 'A')
    const at = await following(t, 100)
    await t.db.transaction(async (tx) => {
      for (const box of ['B', 'C']) await appendEvent(tx, eventKinds.boxGrown, [box])
      while ((await numberEvents(tx)).more);
      await rows(tx, sql`delete from events where keys = '{B}'`)
    })
    await at.untilMissed(2)
    await t.db.transaction(async (tx) => {
      await appendEvent(tx, eventKinds.boxGrown, ['D'])
      await numberEvents(tx)
      await rows(tx, sql`delete from events`)
    })
    await at.untilMissed(3)
    await rows(t.db, sql`update event_numbers set last = 1`)
    await at.untilMissed(4)
    await grown(t, 'E')
    await at.until(1)
    assert.deepEqual([at.boxes(), await numbersOf(t)], [['E'], [2]])
    await at.stop()
  })

  test(`${name}: events older than that are deleted, but for those that have no number yet, and the numbers go on`, async () => {
    await using t = await open()
    const at = await following(t, 100)
    await grownAndKilled(t, 1, 12_000)
    await at.until(12_000)
    await grown(t, 'NEW')
    await at.until(12_001)
    await rows(t.db, sql`update events set at = now() - interval '31 days' where number <= 12000`)
    await at.stop()
    await rows(
      t.db,
      sql`insert into events (kind, keys, at) values ('box.grown', '{UNTOLD}', now() - interval '40 days')`,
    )
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await numbersOf(t), [12_001, null])
    const again = await following(t)
    await grown(t, 'NEXT')
    await again.until(2)
    assert.deepEqual(again.boxes(), ['UNTOLD', 'NEXT'])
    assert.deepEqual(await numbersOf(t), [12_001, 12_002, 12_003])
    await again.stop()
  })

  test(`${name}: the statement that appends an event notifies nobody itself`, async () => {
    await using t = await open()
    const heard = Promise.withResolvers<string>()
    await t.listen('events', heard.resolve)
    const tx = t.db as Tx // no transaction of this process, so nobody is told after a commit
    await appendEvent(tx, eventKinds.boxGrown, ['A'])
    await changeWithEvent(tx, eventKinds.boxGrown, sql`select 'B' as id`)
    await notify(t.db, 'events', 'the first')
    assert.equal(await heard.promise, 'the first')
  })

  test(`${name}: what is told while the database is being closed is told, and later nothing`, async () => {
    const t = await open()
    await grown(t, 'A')
    await t[Symbol.asyncDispose]()
    t.tell(['events'])
  })

  test(`${name}: what a process of the version before notifies of is heard`, async () => {
    await using t = await open()
    const at = await following(t)
    await rows(t.db, sql`select pg_notify('records', 'BOX-1'), pg_notify('catalogue', '["7","p1"]')`)
    await at.until(2)
    assert.deepEqual(
      at.heard.map(({ kind, keys }) => [kind, keys]),
      [
        ['box.grown', ['BOX-1']],
        ['catalogue.changed', null],
      ],
    )
    const formerly = Promise.withResolvers<string>()
    await t.listen('catalogue', formerly.resolve)
    await t.db.transaction((tx) => appendEvent(tx, eventKinds.catalogueChanged, ['p1']))
    assert.equal(await formerly.promise, '', 'and it hears of ours')
    await at.until(3)
    await at.stop()
    assert.equal(at.heard.length, 3)
  })
}

/** Has another process commit an event and be killed before it told anybody. */
async function committedAndKilled(where: string): Promise<void> {
  const program = fileURLToPath(new URL('../testing/commit-and-die.ts', import.meta.url))
  const child = spawn(process.execPath, [program, where], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

test('PostgreSQL: what a process committed that was killed is heard by another that runs', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const told = await following(t)
  await committedAndKilled(t.url)
  assert.deepEqual(await numbersOf(t), [null], 'nobody was told')
  const looking = await following(t, 100)
  await Promise.all([told.until(1), looking.until(1)])
  assert.deepEqual([told.boxes(), looking.boxes(), await numbersOf(t)], [['BOX-1'], ['BOX-1'], [1]])
  await told.stop()
  await looking.stop()
})

test('embedded: what was committed before a kill is heard after the next start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-events-'))
  await committedAndKilled(folder)
  const database = await openEmbedded(folder)
  assert.deepEqual(await numbersOf(database), [null])
  const at = await following(database, 100)
  await at.until(1)
  assert.deepEqual([at.boxes(), await numbersOf(database)], [['BOX-1'], [1]])
  await at.stop()
  await database.close()
  await rm(folder, { recursive: true })
})

test('PostgreSQL: an event whose transaction commits late is heard after later ones, and none is passed over', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await using writer = await another(t.url)
  const at = await following(t)
  const appended = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const late = writer.db.transaction(async (tx) => {
    await appendEvent(tx, eventKinds.boxGrown, ['LATE'])
    appended.resolve()
    await commit.promise
  })
  await appended.promise
  await grown(writer, 'SOON')
  await grown(t, 'ALSO')
  await at.until(2)
  assert.deepEqual(at.boxes().toSorted(), ['ALSO', 'SOON'])
  commit.resolve()
  await late
  await at.until(3)
  assert.equal(at.boxes().at(-1), 'LATE')
  assert.deepEqual((await numbersOf(t)).toSorted(), [1, 2, 3])
  assert.equal(at.missed(), 1)
  await at.stop()
})

test('PostgreSQL: two processes that write and number at once: each follower hears all, once, in one order', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await using other = await another(t.url)
  const [here, there] = [await following(t), await following(other)]
  const write = async (database: Database, box: string): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      await grown(database, `${box}${i}`)
      if (i % 10 === 9) await sleep(60) // so that numbering begins again
    }
  }
  const writers = [t, other].flatMap((database, p) => [0, 1, 2].map((w) => write(database, `${p}-${w}-`)))
  await Promise.all(writers)
  await Promise.all([here.until(240), there.until(240)])
  assert.deepEqual(here.boxes(), there.boxes())
  assert.equal(new Set(here.boxes()).size, 240)
  for (const box of ['0-0-', '1-2-'])
    assert.deepEqual(
      here.boxes().filter((key) => key.startsWith(box)),
      Array.from({ length: 40 }, (_, i) => `${box}${i}`),
      'one writer’s in its order',
    )
  assert.deepEqual([here.missed(), there.missed()], [1, 1])
  await here.stop()
  await there.stop()
})

test('NOTIFY is sent where nothing is committed with it, or by the embedded database, which has one process', () => {
  const SOURCE = fileURLToPath(new URL('..', import.meta.url))
  const senders = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !/\.test\.ts$|^testing\//.test(file) && file !== 'db/client.ts')
    .filter((file) =>
      /pg_notify\(|\bnotify\b[^}]*\} from .\S*client\.ts/.test(readFileSync(`${SOURCE}${file}`, 'utf8')),
    )
  assert.deepEqual(senders.toSorted(), [
    'accounts/sessions/session-store.ts',
    'backup/welcome/restore-program.ts', // of a bare shop that stops
    'db/signals.ts',
    'doctor/hosts.ts', // to itself, whether it is heard
    'jobs/queue.ts',
  ])
})
