import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { claim, untilNext } from './lease.ts'
import { enqueue } from './queue.ts'
import { type JobHandler, runDueJobs } from './run.ts'

const silent = { warn: () => undefined, error: () => undefined }
const never = new AbortController().signal
const KEY = { uniqueKey: 'k' }

const run = (db: Db, post: JobHandler, terms?: { leaseS: number; timeoutS: number }): Promise<number> =>
  runDueJobs(db, { post }, silent, never, terms)

type Row = {
  attempts: number
  lost_leases: number
  last_error: string | null
  failed: boolean
  leased: boolean
}
const jobs = (db: Db): Promise<Row[]> =>
  rows<Row>(
    db,
    sql`select attempts, lost_leases, last_error, failed_at is not null as failed, leased_until is not null as leased
        from jobs`,
  )
const workerDies = (db: Db): Promise<unknown> =>
  rows(db, sql`update jobs set leased_until = now() - interval '1 second' where leased_until is not null`)

for (const [name, open] of testDatabases) {
  test(`${name}: a job that becomes due after none was found is looked for at once; one that is held for long is not`, async () => {
    await using t = await open()
    assert.equal(await untilNext(t.db, ['post'], 5_000), null)
    await enqueue(t.db, 'post', {}, { delayMs: 150 })
    assert.equal(await claim(t.db, ['post'], 60, 5_000), undefined)
    const before = await untilNext(t.db, ['post'], 5_000)
    await sleep(200)
    const after = await untilNext(t.db, ['post'], 5_000)
    assert.ok(before !== null && before <= 150 && after === 20, `${before} ms, then ${after} ms`)
    await rows(t.db, sql`update jobs set run_at = now() - interval '2 seconds'`)
    assert.equal(await untilNext(t.db, ['post'], 5_000), null)
  })

  test(`${name}: a failed job starts anew when its key is enqueued again`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', { n: 1 }, KEY)
    for (let i = 0; i < 20; i++) {
      await run(t.db, () => Promise.reject<undefined>(new Error('no')))
      await rows(t.db, sql`update jobs set run_at = now()`)
    }
    assert.equal((await jobs(t.db))[0]?.failed, true)
    await enqueue(t.db, 'post', { n: 2 }, KEY)
    const [job] = await jobs(t.db)
    assert.deepEqual(job, { attempts: 0, lost_leases: 0, last_error: null, failed: false, leased: false })
    const seen: unknown[] = []
    assert.equal(await run(t.db, async ({ n }) => void seen.push(n)), 1)
    assert.deepEqual([seen, await jobs(t.db)], [[2], []])
  })

  test(`${name}: a job enqueued during its own run is done after it, once, also when that run fails`, async () => {
    await using t = await open()
    const seen: unknown[] = []
    await enqueue(t.db, 'post', { n: 1 }, KEY)
    await run(t.db, async ({ n }) => {
      seen.push(n)
      if (n === 1) for (const more of [2, 3]) await enqueue(t.db, 'post', { n: more }, KEY)
      if (n === 3) {
        await enqueue(t.db, 'post', { n: 4 }, KEY)
        throw new Error('no')
      }
    })
    assert.deepEqual([seen, await jobs(t.db)], [[1, 3, 4], []])
  })

  test(`${name}: a waiting job begins after the commit that enqueued it again`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', { n: 1 }, KEY)
    if (t.kind === 'embedded') return // one transaction at a time
    await t.db.transaction(async (tx) => {
      await enqueue(tx, 'post', { n: 2 }, KEY)
      assert.equal(await run(t.db, () => assert.fail('it would not see what is about to be committed')), 0)
    })
    assert.equal(await run(t.db, async () => undefined), 1)
  })

  test(`${name}: a job that kills its worker each time fails for good with a message, and the queue goes on`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', { n: 1 })
    const silence = Promise.withResolvers<void>() // as of processes that were killed
    const killed: Promise<number>[] = []
    for (let i = 0; i < 5; i++) {
      const begun = Promise.withResolvers<void>()
      const dies: JobHandler = () => {
        begun.resolve()
        return silence.promise
      }
      killed.push(run(t.db, dies))
      await begun.promise
      await workerDies(t.db)
    }
    assert.equal(await run(t.db, () => assert.fail('it would end this one too')), 0)
    const [job] = await jobs(t.db)
    assert.match(job?.last_error ?? '', /crashed before it was done, 5 times/)
    await enqueue(t.db, 'post', { n: 2 })
    const seen: unknown[] = []
    assert.equal(await run(t.db, async ({ n }) => void seen.push(n)), 1)
    assert.deepEqual(seen, [2])
    silence.resolve()
    assert.deepEqual(await Promise.all(killed), [0, 0, 0, 0, 0])
    assert.equal((await jobs(t.db))[0]?.failed, true)
  })

  for (const [how, ends] of [
    ['does it', async () => undefined],
    ['fails', () => Promise.reject(new Error('late'))],
  ] as const)
    test(`${name}: a worker that ${how} after another one claimed the job changes nothing`, async () => {
      await using t = await open()
      await enqueue(t.db, 'post', {})
      const [second, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let other: Promise<number> | undefined
      const first = await run(t.db, async () => {
        await workerDies(t.db)
        other = run(t.db, async () => {
          second.resolve()
          await go.promise
        })
        await second.promise
        await ends()
      })
      assert.equal(first, 0)
      assert.deepEqual(await jobs(t.db), [
        { attempts: 2, lost_leases: 1, last_error: null, failed: false, leased: true },
      ])
      go.resolve()
      assert.equal(await other, 1)
      assert.deepEqual(await jobs(t.db), [])
    })

  test(`${name}: a job that takes longer than its lease renews it, and no other worker claims it`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', {})
    const passed = async (): Promise<boolean> =>
      (
        await rows(
          t.db,
          sql`select from jobs where leased_until > now() and now() > run_at + interval '8 seconds'`,
        )
      ).length > 0
    let begun = 0
    const terms = { leaseS: 6, timeoutS: 600 }
    const long: JobHandler = async () => {
      begun++
      while (!(await passed())) await sleep(100)
    }
    const other = async (): Promise<void> => {
      while (begun === 0) await sleep(20)
      while ((await jobs(t.db)).length > 0) {
        assert.equal(await run(t.db, () => assert.fail('it runs'), terms), 0)
        await sleep(200)
      }
    }
    const [done] = await Promise.all([run(t.db, long, terms), other()])
    assert.deepEqual([done, begun], [1, 1])
  })

  test(`${name}: a job that does not end is aborted at its time limit, and retried`, async () => {
    await using t = await open()
    await enqueue(t.db, 'post', {})
    let told: unknown
    const stuck: JobHandler = (_payload, signal) => {
      signal.addEventListener('abort', () => {
        told = signal.reason
      })
      return new Promise<undefined>(() => undefined)
    }
    assert.equal(await run(t.db, stuck, { leaseS: 60, timeoutS: 0.1 }), 0)
    const [job] = await jobs(t.db)
    assert.match(job?.last_error ?? '', /^It was not done within 0.1 seconds\.$/)
    assert.deepEqual(
      [job?.failed, job?.leased, String(told)],
      [false, false, `JobTimeout: ${job?.last_error}`],
    )
  })
}

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: however many jobs wait, a claim reads the first ones of its queues, whatever else waits`, async () => {
    await using t = await open()
    for (const queue of ['post', 'pictures'])
      await rows(
        t.db,
        sql`insert into jobs (queue, payload, run_at)
            select ${queue}, '{}', now() - n * interval '1 minute' from generate_series(1, 5000) n`,
      )
    for (const queues of [['post'], ['post', 'none'], ['post', 'pictures']])
      await t.db.transaction(async (tx) => {
        const read = await rowsRead(tx, ['jobs'], async () => {
          const { nextMs = null } = (await claim(tx as Db, queues, 60, 5_000)) ?? {}
          assert.ok(nextMs !== null && nextMs < 0)
        })
        assert.ok(read.jobs < 200, `${read.jobs} rows for one of ${queues}`)
      })
  })
