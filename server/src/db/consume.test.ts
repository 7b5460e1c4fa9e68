import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { type Database, rows, type Tx } from './client.ts'
import { consume, consumerStates, type EventConsumer, nameOthers } from './consume.ts'
import { openEmbedded } from './embedded.ts'
import { appendEvent, eventKinds, eventRetention, knownVersions } from './events.ts'
import { openPostgres } from './postgres.ts'
import { purge } from './retention.ts'
import { events } from './schema/events.ts'

type Place = Pick<Database, 'db'>

/** A consumer that writes each event into a table, once more each time that it comes; `fails`: at events of that box. */
async function testConsumer({ db }: Place, fails: (box: string) => boolean = () => false, name = 'test') {
  await rows(db, sql`create table if not exists done (name text default 'test', number bigint, boxes text[])`)
  const startedOver: string[] = []
  const consumer: EventConsumer = {
    name,
    kinds: [eventKinds.boxGrown],
    work: async (tx, events) => {
      for (const { number, keys } of events) {
        const boxes = sql.param([...(keys ?? [])])
        await rows(tx, sql`insert into done values (${name}, ${number}, ${boxes}::text[])`)
        if (keys?.some(fails)) throw new Error(`can't do ${keys}`)
      }
    },
    startOver: async () => void startedOver.push(name),
  }
  const logged: { level: 'error' | 'warn'; details: Record<string, unknown> }[] = []
  const at = (level: 'error' | 'warn') => (details: unknown) =>
    void logged.push({ level, details: details as Record<string, unknown> })
  const log = { error: at('error'), warn: at('warn') }
  return {
    ...{ consumer, logged, startedOver },
    once: (known = knownVersions) => consume(db, consumer, log, known),
    /** Consumes until nothing is left, and says how often it took. */
    all: async () => {
      for (let n = 1; ; n++) if (!(await consume(db, consumer, log))) return n
    },
    done: async () =>
      (
        await rows<{ box: string }>(
          db,
          sql`select unnest(boxes) as box from done where name = ${name} order by number`,
        )
      ).map(({ box }) => box),
    row: async () =>
      (
        await rows(
          db,
          sql`select last::int, failures, failing_since is not null as failing, last_error as error, skipped,
              skipped_from::int as "skippedFrom", lost from event_consumers where name = ${name}`,
        )
      )[0],
    retryNow: () => rows(db, sql`update event_consumers set retry_at = now() where name = ${name}`),
  }
}

const grown = ({ db }: Place, ...boxes: string[]): Promise<unknown> =>
  db.transaction(async (tx) => {
    for (const box of boxes) await appendEvent(tx, eventKinds.boxGrown, [box])
  })

const of = (kind: string, version: number, { db }: Place) =>
  rows(db, sql`insert into events (kind, version, keys) values (${kind}, ${version}, '{X}')`)

const standing = { failures: 0, failing: false, error: null, skipped: 0, skippedFrom: null, lost: 0 }
/** Has all events that there are happen so many days ago. */
const aged = ({ db }: Place, days: number) =>
  rows(db, sql`update events set at = now() - ${days} * interval '24 hours'`)

for (const [name, open] of testDatabases) {
  test(`${name}: the work of each event is done once, in their order, from when the consumer began`, async () => {
    await using t = await open()
    await grown(t, 'BEFORE')
    const at = await testConsumer(t)
    await at.all()
    assert.deepEqual([await at.done(), at.startedOver], [[], ['test']], 'its rows say what was before')
    await grown(t, 'A', 'B')
    await t.db.transaction((tx) => appendEvent(tx, eventKinds.catalogueChanged, ['NOT OURS']))
    await grown(t, 'C')
    await at.all()
    await at.all()
    assert.deepEqual(await at.done(), ['A', 'B', 'C'])
    assert.deepEqual(await at.row(), { ...standing, last: 5 })
    assert.deepEqual(at.startedOver, ['test'])
  })

  test(`${name}: one that is far behind reads in windows`, async () => {
    await using t = await open()
    const at = await testConsumer(t)
    await at.all()
    await rows(
      t.db,
      sql`insert into events (kind, keys) select 'box.grown', array['B' || i] from generate_series(1, 2600) i`,
    )
    assert.ok((await at.all()) >= 6)
    assert.deepEqual(
      await at.done(),
      Array.from({ length: 2_600 }, (_, i) => `B${i + 1}`),
    )
  })

  test(`${name}: at an event that fails each time it stands, says so, and goes on when it no longer fails`, async () => {
    await using t = await open()
    let isFixed = false
    const at = await testConsumer(t, (box) => box === 'POISON' && !isFixed)
    const other = await testConsumer(t, undefined, 'other')
    await Promise.all([at.all(), other.all()])
    await grown(t, 'A', 'B', 'POISON', 'C')
    await at.all()
    assert.deepEqual(await at.done(), ['A', 'B'], 'what is before it is done')
    await at.all()
    const failing = { ...standing, last: 2, failing: true, error: "event 3: can't do POISON" }
    assert.deepEqual(await at.row(), { ...failing, failures: 1 }, 'it is not tried again at once')
    await at.retryNow()
    await at.all()
    assert.deepEqual(await at.row(), { ...failing, failures: 2 })
    await other.all()
    assert.deepEqual(await other.done(), ['A', 'B', 'POISON', 'C'], 'others go on')
    const [, standsAt] = await consumerStates(t.db).then((all) => all.toReversed())
    assert.partialDeepStrictEqual(standsAt, { name: 'other', behind: 0, lagS: 0, failingS: 0 })
    const [state] = (await consumerStates(t.db)).filter((one) => one.name === 'test')
    assert.ok(state !== undefined && state.behind === 2 && state.lagS > 0 && state.failingS > 0)
    assert.deepEqual(
      at.logged.map(({ level, details }) => [level, details.consumer, details.event]),
      [
        ['error', 'test', 3],
        ['error', 'test', 3],
      ],
    )
    isFixed = true
    await at.retryNow()
    await at.all()
    assert.deepEqual(await at.done(), ['A', 'B', 'POISON', 'C'])
    assert.deepEqual(await at.row(), { ...standing, last: 4 })
  })

  test(`${name}: an event of an unknown kind or a newer version is skipped and counted, and done by a process that knows it`, async () => {
    await using t = await open()
    const at = await testConsumer(t)
    await at.all()
    await grown(t, 'A')
    await of('moon.risen', 1, t)
    await of('box.grown', 2, t)
    await grown(t, 'B')
    await at.all()
    await at.all()
    assert.deepEqual(await at.done(), ['A', 'B'])
    assert.deepEqual(await at.row(), { ...standing, last: 4, skipped: 2, skippedFrom: 2 })
    assert.deepEqual(at.logged, [
      { level: 'warn', details: { consumer: 'test', kinds: ['moon.risen 1', 'box.grown 2'], events: 2 } },
    ])
    await at.once({ ...knownVersions, 'moon.risen': 1, 'box.grown': 2 })
    assert.deepEqual(await at.done(), ['A', 'X', 'B', 'B'], 'those after it come again')
    assert.deepEqual(await at.row(), { ...standing, last: 4, skipped: 2 })
  })

  test(`${name}: it starts over when events are gone, or numbers went back with a restored database`, async () => {
    await using t = await open()
    const at = await testConsumer(t)
    await at.all()
    await grown(t, 'A')
    await at.all()
    await grown(t, 'B', 'C')
    const stopped = await testConsumer(t, undefined, 'numbers them')
    await stopped.all()
    await rows(t.db, sql`delete from events where keys = '{B}'`)
    await at.all()
    assert.deepEqual([at.startedOver.length, await at.done()], [2, ['A']])
    await rows(t.db, sql`delete from events`)
    await rows(t.db, sql`update event_numbers set last = 1`)
    await at.all()
    assert.equal(at.startedOver.length, 3)
    await grown(t, 'D')
    await at.all()
    assert.deepEqual(await at.done(), ['A', 'D'])
    assert.deepEqual(await at.row(), { ...standing, last: 2, lost: 2 })
  })

  test(`${name}: old events are kept for a consumer that has not come to them, until a bound`, async () => {
    await using t = await open()
    const at = await testConsumer(t)
    await at.all()
    await grown(t, 'A', 'B')
    await at.all()
    await grown(t, 'C')
    await (await testConsumer(t, undefined, 'ahead')).all()
    const left = async () =>
      (await rows<{ box: string }>(t.db, sql`select keys[1] as box from events order by number`)).map(
        ({ box }) => box,
      )
    await aged(t, 40)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await left(), ['C'])
    await aged(t, 91)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await left(), [])
    await at.all()
    assert.equal(at.startedOver.length, 2)
  })

  test(`${name}: nothing waits for a consumer that no process has, and one that returns goes on where it was`, async () => {
    await using t = await open()
    const gone = await testConsumer(t, undefined, 'gone')
    const used = await testConsumer(t, undefined, 'used')
    const warned: unknown[] = []
    const others = async () => {
      await nameOthers(t.db, { warn: (details: unknown) => void warned.push(details) }, [used.consumer])
      return warned.splice(0).map((details) => (details as { consumer: string }).consumer)
    }
    await Promise.all([gone.all(), used.all()])
    assert.deepEqual(await others(), ['gone'])
    await grown(t, 'OLD')
    await used.all()
    await aged(t, 40)
    await grown(t, 'A', 'B')
    const behind = async () => (await consumerStates(t.db)).map((one) => [one.name, one.behind])
    const unseen = (days: number) =>
      rows(
        t.db,
        sql`update event_consumers set seen_at = now() - ${days} * interval '24 hours' where name = 'gone'`,
      )
    await unseen(6)
    await used.all()
    await purge(t.db, new Date(), eventRetention)
    assert.equal(await t.db.$count(events), 3, 'in its first week the events are kept for it')
    assert.deepEqual(await behind(), [
      ['gone', 3],
      ['used', 0],
    ])
    await unseen(20)
    assert.deepEqual(await behind(), [['used', 0]])
    await gone.all()
    assert.deepEqual([await gone.done(), gone.startedOver.length], [['OLD', 'A', 'B'], 1])
    assert.deepEqual((await behind()).length, 2, 'it is seen again')

    await grown(t, 'C')
    await used.all()
    await unseen(8)
    await purge(t.db, new Date(), eventRetention)
    assert.equal(await t.db.$count(events), 3, 'afterwards they go after 30 days')
    await gone.all()
    assert.deepEqual([await gone.done(), gone.startedOver.length], [['OLD', 'A', 'B', 'C'], 1])

    await unseen(91)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await others(), [])
    await grown(t, 'D')
    await gone.all()
    assert.deepEqual(
      [await gone.done(), gone.startedOver.length],
      [['OLD', 'A', 'B', 'C'], 2],
      'it begins anew',
    )
    await grown(t, 'E')
    await gone.all()
    assert.deepEqual(await gone.done(), ['OLD', 'A', 'B', 'C', 'E'])
  })
}

/** Has another process do the work of events and be killed before its cursor moves. */
async function killedAtWork(where: string): Promise<void> {
  const program = fileURLToPath(new URL('../testing/consume-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [program, where], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

test('PostgreSQL: work of a process that was killed before its cursor moved is done by another, once', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const at = await testConsumer(t)
  await at.all()
  await grown(t, 'A', 'B')
  await killedAtWork(t.url)
  while ((await at.done()).length === 0) await at.all()
  assert.deepEqual(await at.done(), ['A', 'B'])
})

test('embedded: work of a process that was killed before its cursor moved is done after the next start, once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-consume-'))
  const before = await openEmbedded(folder)
  const begun = await testConsumer(before)
  await begun.all()
  await grown(before, 'A', 'B')
  await before.close()
  await killedAtWork(folder)
  const database = await openEmbedded(folder)
  const at = await testConsumer(database)
  await at.all()
  assert.deepEqual(await at.done(), ['A', 'B'])
  await database.close()
  await rm(folder, { recursive: true })
})

test('PostgreSQL: while one process is slow, another waits neither with this consumer nor with another', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const there = await openPostgres(t.url, () => undefined)
  const [at, away] = [await testConsumer(t), await testConsumer(there)]
  const other = await testConsumer(there, undefined, 'other')
  await Promise.all([at.all(), other.all()])
  await grown(t, 'A')
  const working = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const slow: EventConsumer = {
    ...at.consumer,
    work: async (tx: Tx, events) => {
      await at.consumer.work(tx, events)
      working.resolve()
      await go.promise
    },
  }
  const log = { error: () => undefined, warn: () => undefined }
  const slowly = consume(t.db, slow, log)
  await working.promise
  await Promise.all([away.all(), other.all()])
  assert.deepEqual([await away.done(), await other.done()], [[], ['A']])
  go.resolve()
  await slowly
  assert.deepEqual(await away.done(), ['A'])
  await there.close()
})

test('PostgreSQL: two processes at once do the work of each event once', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const there = await openPostgres(t.url, () => undefined)
  const [at, away] = [await testConsumer(t), await testConsumer(there)]
  await Promise.all([at.all(), away.all()])
  const ids = Array.from({ length: 200 }, (_, i) => `B${i}`)
  const consuming = new AbortController()
  const work = async (one: typeof at): Promise<void> => {
    while (!consuming.signal.aborted) await one.once()
  }
  const workers = [work(at), work(away)]
  for (const id of ids) await grown(t, id)
  while ((await at.done()).length < ids.length) await at.once()
  consuming.abort()
  await Promise.all(workers)
  assert.deepEqual((await at.done()).toSorted(), ids.toSorted())
  assert.equal(at.startedOver.length + away.startedOver.length, 1)
  await there.close()
})
