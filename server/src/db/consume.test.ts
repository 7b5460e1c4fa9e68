import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { grown, testConsumer } from '#server/testing/consumer.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { type Database, rows, type Tx } from './client.ts'
import { consume, consumerStates, type EventConsumer } from './consume.ts'
import { openEmbedded } from './embedded.ts'
import { appendEvent, eventKinds, knownVersions } from './events.ts'
import { openPostgres } from './postgres.ts'

const of = (kind: string, version: number, { db }: Pick<Database, 'db'>) =>
  rows(db, sql`insert into events (kind, version, keys) values (${kind}, ${version}, '{X}')`)

const standing = { failures: 0, failing: false, error: null, skipped: 0, skippedFrom: null, lost: 0 }
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
