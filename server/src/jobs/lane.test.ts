import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Database, rows } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { startWorker } from './lane.ts'
import { enqueue } from './queue.ts'
import type { JobHandlers } from './run.ts'

const silent = { warn: () => undefined, error: () => undefined }
const dialect = new PgDialect()

/** Shorter than the time from one poll to the next, of which the first is at a worker's start. */
const SOON_MS = 4_000

/** The database, and how often a job was asked for through it. */
function counted(database: Database): { database: Database; asked: () => number } {
  let asked = 0
  const execute = (query: SQL) => {
    if (dialect.sqlToQuery(query).sql.startsWith('update jobs set attempts = attempts + 1')) asked++
    return database.db.execute(query)
  }
  const db = new Proxy(database.db, {
    get: (own, name) => (name === 'execute' ? execute : Reflect.get(own, name)),
  })
  return { database: { ...database, db }, asked: () => asked }
}

/** Two processes' connections to one database, with a worker each. Use with `await using`. */
async function twoWorkers(handlersOf: (who: 'first' | 'second') => JobHandlers) {
  const t = await testPostgres()
  const other = await openPostgres(t.url, () => undefined)
  const [first, second] = [counted(t), counted(other)]
  const stops = {
    first: await startWorker(first.database, handlersOf('first'), silent),
    second: await startWorker(second.database, handlersOf('second'), silent),
  }
  await sleep(200) // until both have found nothing
  return {
    ...{ t, other, first, second },
    stopFirst: stops.first,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([stops.first(), stops.second()])
      await other.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

/** Rejects as soon as the worker stops. */
const endOf = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  Promise.race([
    work,
    new Promise<void>((_end, refuse) => signal.addEventListener('abort', () => refuse(signal.reason))),
  ])

const openJobs = async ({ db }: Database): Promise<number> =>
  (await rows<{ n: number }>(db, sql`select count(*)::int as n from jobs`))[0]?.n ?? -1

async function untilNone(database: Database): Promise<void> {
  const until = performance.now() + SOON_MS
  while ((await openJobs(database)) > 0) {
    assert.ok(performance.now() < until, 'the jobs are not done soon')
    await sleep(5)
  }
}

test('PostgreSQL: a job that comes alone is asked for once, by the process that enqueued it', {
  skip: withoutPostgres,
}, async () => {
  const ran: string[] = []
  await using two = await twoWorkers((who) => ({ post: async () => void ran.push(who) }))
  const before = [two.first.asked(), two.second.asked()]
  const began = performance.now()
  for (let n = 0; n < 20; n++) {
    await two.t.db.transaction((tx) => enqueue(tx, 'post', { n }))
    await untilNone(two.t)
  }
  const polls = Math.ceil((performance.now() - began) / 5_000)
  const asked = [two.first.asked(), two.second.asked()].map((n, i) => n - (before[i] ?? 0))
  assert.deepEqual(ran, Array(20).fill('first'))
  assert.ok((asked[0] ?? 99) <= 20 + polls && (asked[1] ?? 99) <= polls, `${asked} times, ${polls} polls`)
})

test('PostgreSQL: what waits behind a long job is done by another process, soon', {
  skip: withoutPostgres,
}, async () => {
  const long = Promise.withResolvers<void>()
  const ran: string[] = []
  await using two = await twoWorkers((who) => ({
    post: async ({ n }, signal) => {
      if (who === 'first' && ran.push('began') === 1) await endOf(long.promise, signal)
      else ran.push(`${who} ${n}`)
    },
  }))
  await two.t.db.transaction(async (tx) => {
    await enqueue(tx, 'post', { n: 1 })
    await enqueue(tx, 'post', { n: 2 })
  })
  const until = performance.now() + SOON_MS
  while (ran.length < 2 && performance.now() < until) await sleep(20)
  assert.deepEqual(ran, ['began', 'second 2'], 'of the same transaction')
  await two.t.db.transaction((tx) => enqueue(tx, 'post', { n: 3 }))
  while (ran.length < 3 && performance.now() < until) await sleep(20)
  assert.deepEqual(ran, ['began', 'second 2', 'second 3'], 'enqueued while it runs')
  long.resolve()
  await untilNone(two.t)
})

test('PostgreSQL: what a process that stops has not done is done by another, soon', {
  skip: withoutPostgres,
}, async () => {
  const ran: string[] = []
  await using two = await twoWorkers((who) => ({
    post: async ({ n }, signal) => {
      ran.push(`${who} ${n}`)
      if (who === 'first') await endOf(new Promise(() => undefined), signal)
    },
  }))
  await two.t.db.transaction(async (tx) => {
    await enqueue(tx, 'post', { n: 1 })
    await enqueue(tx, 'post', { n: 2 })
  })
  while (ran.length === 0) await sleep(5)
  await two.stopFirst()
  await untilNone(two.t)
  assert.deepEqual(ran.toSorted(), ['first 1', 'second 1', 'second 2'])
  await two.t.db.transaction((tx) => enqueue(tx, 'post', { n: 3 }))
  await untilNone(two.t)
  assert.ok(ran.includes('second 3'), 'after its end, too')
})

test('PostgreSQL: a job that another process asks for anew while it runs is run again, soon', {
  skip: withoutPostgres,
}, async () => {
  const long = Promise.withResolvers<void>()
  const seen: unknown[] = []
  await using two = await twoWorkers((who) => ({
    post: async ({ n }, signal) => {
      seen.push(`${who} ${n}`)
      await endOf(long.promise, signal)
    },
  }))
  await two.t.db.transaction((tx) => enqueue(tx, 'post', { n: 1 }, { uniqueKey: 'k' }))
  while (seen.length === 0) await sleep(5)
  await two.other.db.transaction((tx) => enqueue(tx, 'post', { n: 2 }, { uniqueKey: 'k' }))
  await sleep(300)
  long.resolve()
  await untilNone(two.t)
  assert.deepEqual(seen, ['first 1', 'first 2'])
})

for (const [name, open] of testDatabases)
  test(`${name}: a job that is due at once does not hide one that is due soon`, async () => {
    await using t = await open()
    const ran: unknown[] = []
    const stop = await startWorker(t, { post: async ({ n }) => void ran.push(n) }, silent)
    await using _worker = { [Symbol.asyncDispose]: stop }
    await sleep(200)
    await t.db.transaction(async (tx) => {
      await enqueue(tx, 'post', { n: 1 })
      await enqueue(tx, 'post', { n: 2 }, { delayMs: 600 })
    })
    await untilNone(t)
    assert.deepEqual(ran, [1, 2])
  })
