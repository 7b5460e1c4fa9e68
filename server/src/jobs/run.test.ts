import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { startWorker } from './lane.ts'
import { enqueue } from './queue.ts'
import { PermanentError, retryDelayS, runDueJobs } from './run.ts'

const silent = { warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

for (const [name, open] of testDatabases) {
  test(`${name}: a job exists exactly when its transaction commits, and runs once`, async () => {
    await using t = await open()
    const seen: unknown[] = []
    const handlers = { post: async (payload: Record<string, unknown>) => void seen.push(payload.n) }
    await assert.rejects(
      t.db.transaction(async (tx) => {
        await enqueue(tx, 'post', { n: 1 })
        throw new Error('changed my mind')
      }),
    )
    await t.db.transaction((tx) => enqueue(tx, 'post', { n: 2 }))
    await Promise.all([1, 2, 3].map(() => runDueJobs(t.db, handlers, silent, never)))
    assert.deepEqual(seen, [2])
    assert.equal(await openJobs(t.db), 0)
  })

  test(`${name}: a failing job is rescheduled with its error at growing intervals, and then fails for good where an operator sees it`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', {})
    const handlers = { post: () => Promise.reject(new Error('no route to host')) }
    for (let i = 0; i < 20; i++) {
      await runDueJobs(t.db, handlers, silent, never)
      await rows(t.db, sql`update jobs set run_at = now()`)
    }
    const [job] = await rows<{ attempts: number; last_error: string; failed: boolean }>(
      t.db,
      sql`select attempts, last_error, failed_at is not null as failed from jobs`,
    )
    assert.deepEqual(job, { attempts: 20, last_error: 'no route to host', failed: true })
    assert.equal(await runDueJobs(t.db, { post: async () => assert.fail('given up') }, silent, never), 0)
  })

  test(`${name}: a permanent error fails a job at the first attempt`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', {})
    const refused = new PermanentError('no such address', new Error('550'))
    await runDueJobs(t.db, { post: () => Promise.reject<undefined>(refused) }, silent, never)
    const [job] = await rows<{ attempts: number; last_error: string; failed: boolean }>(
      t.db,
      sql`select attempts, last_error, failed_at is not null as failed from jobs`,
    )
    assert.deepEqual(job, { attempts: 1, last_error: 'no such address', failed: true })
  })

  test(`${name}: a job interrupted by shutdown is released unchanged`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', {})
    const ending = new AbortController()
    const handlers = {
      post: async (_payload: unknown, signal: AbortSignal) => {
        ending.abort()
        signal.throwIfAborted()
      },
    }
    assert.equal(await runDueJobs(t.db, handlers, silent, ending.signal), 0)
    const [job] = await rows(t.db, sql`select attempts, last_error, leased_until from jobs`)
    assert.deepEqual(job, { attempts: 0, last_error: null, leased_until: null })
    assert.equal(await runDueJobs(t.db, { post: async () => undefined }, silent, never), 1)
  })

  test(`${name}: a running worker is notified of new jobs, and two jobs with one key are one`, async () => {
    await using t = await open()
    const ran = Promise.withResolvers<unknown>()
    const stop = await startWorker(t, { post: async (payload) => ran.resolve(payload.n) }, silent)
    await t.db.transaction(async (tx) => {
      await enqueue(tx, 'post', { n: 5 }, { uniqueKey: 'k' })
      await enqueue(tx, 'post', { n: 6 }, { uniqueKey: 'k' })
    })
    assert.equal(await ran.promise, 6)
    await stop()
    assert.equal(await openJobs(t.db), 0)
  })

  test(`${name}: a delayed job is run when it is due, not at the next poll`, async () => {
    await using t = await open()
    const ran = Promise.withResolvers<number>()
    const stop = await startWorker(t, { post: async () => ran.resolve(performance.now()) }, silent)
    const began = performance.now()
    await enqueue(t.db, 'post', {}, { delayMs: 600 })
    const waited = (await ran.promise) - began
    await stop()
    assert.ok(waited >= 600 && waited < 4_500, `${waited} ms`)
  })
}

for (const [name, open] of testDatabases) {
  test(`${name}: a job that waits for its retry takes the newer request: time, payload and attempts`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', { n: 1 }, { uniqueKey: 'k' })
    const failing = { post: () => Promise.reject(new Error('no route to host')) }
    for (let i = 0; i < 13; i++) {
      await rows(t.db, sql`update jobs set run_at = now()`)
      await runDueJobs(t.db, failing, silent, never)
    }
    await enqueue(t.db, 'post', { n: 2 }, { uniqueKey: 'k' })
    const [job] = await rows(
      t.db,
      sql`select payload, attempts, last_error, run_at <= now() as due from jobs`,
    )
    assert.deepEqual(job, { payload: { n: 2 }, attempts: 0, last_error: null, due: true })
    await enqueue(t.db, 'post', { n: 3 }, { uniqueKey: 'k', delayMs: 3_600_000 })
    assert.equal(await runDueJobs(t.db, failing, silent, never), 0, 'the newer request is for later')
    await enqueue(t.db, 'post', { n: 4 }, { uniqueKey: 'k' })
    const seen: unknown[] = []
    await runDueJobs(t.db, { post: async ({ n }) => void seen.push(n) }, silent, never)
    assert.deepEqual([seen, await openJobs(t.db)], [[4], 0])
  })

  test(`${name}: requested many times at once and while it runs, a job runs once more after all of them`, async () => {
    await using t = await open()
    await Promise.all([1, 2, 3, 4].map((n) => enqueue(t.db, 'post', { n }, { uniqueKey: 'k' })))
    assert.equal(await openJobs(t.db), 1)
    const seen: unknown[] = []
    const post = async (): Promise<void> => {
      seen.push('ran')
      if (seen.length > 1) return
      const soon = { uniqueKey: 'k' }
      await Promise.all([5, 6, 7].map((n) => enqueue(t.db, 'post', { n }, soon)))
      throw new Error('and this one failed')
    }
    await runDueJobs(t.db, { post }, silent, never)
    assert.deepEqual([seen, await openJobs(t.db)], [['ran', 'ran'], 0])
  })
}

test('retry delays double from five seconds to six hours, two days in total', () => {
  assert.deepEqual([1, 2, 3, 20].map(retryDelayS), [5, 10, 20, 21_600])
  const waits = Array.from({ length: 19 }, (_, i) => retryDelayS(i + 1))
  assert.equal(Math.round(waits.reduce((sum, s) => sum + s) / 3_600), 47)
})

const openJobs = async (db: Parameters<typeof rows>[0]): Promise<number> =>
  (await rows<{ n: number }>(db, sql`select count(*)::int as n from jobs`))[0]?.n ?? -1
