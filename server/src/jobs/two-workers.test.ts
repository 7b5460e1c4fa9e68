import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { enqueue } from './queue.ts'
import { runDueJobs } from './run.ts'

/** A worker in a process of its own, and the lines that it wrote. Use with `await using`. */
function worker(url: string, leaseS: number) {
  const program = fileURLToPath(new URL('../testing/work-until-killed.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program, url, String(leaseS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const said: string[] = []
  if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => said.push(line))
  const says = async (line: string): Promise<void> => {
    while (!said.includes(line)) await sleep(20)
  }
  return {
    said,
    says,
    ended,
    go: () => void child.stdin?.write('go\n'),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('PostgreSQL: a worker frozen for longer than its lease loses the job, and changes nothing of it afterwards', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await enqueue(t.db, 'wait', {})
  await using first = worker(t.url, 3)
  await first.says('began')
  first.signal('SIGSTOP')
  await using second = worker(t.url, 60)
  await second.says('began')
  first.go()
  first.signal('SIGCONT')
  await first.says('lost the lease of a job to another worker')
  const held = await rows(t.db, sql`select attempts, last_error from jobs where leased_until > now()`)
  assert.deepEqual(held, [{ attempts: 2, last_error: null }], 'it is the second one’s')
  second.go()
  await second.says('did it')
  while ((await rows(t.db, sql`select from jobs`)).length > 0) await sleep(20)
})

test('PostgreSQL: a job that was done while no connection was free is noted once there is one, and not done again', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await enqueue(t.db, 'post', {})
  let done = 0
  let busy: Promise<unknown> = Promise.resolve()
  const post = async (): Promise<void> => {
    done++
    busy = Promise.all(Array.from({ length: 10 }, () => t.db.execute(sql`select pg_sleep(6)`)))
  }
  const silent = { warn: () => undefined, error: () => undefined }
  assert.equal(await runDueJobs(t.db, { post }, silent, new AbortController().signal), 1)
  await busy
  assert.deepEqual([done, await rows(t.db, sql`select from jobs`)], [1, []])
})

test('PostgreSQL: a poison job kills at most five workers, and other jobs are done', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await enqueue(t.db, 'kill', {})
  const workers = Array.from({ length: 6 }, () => worker(t.url, 1))
  await using _all = {
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(workers.map((one) => one[Symbol.asyncDispose]()))),
  }
  const failed = () =>
    rows<{ last_error: string }>(t.db, sql`select last_error from jobs where failed_at is not null`)
  while ((await failed()).length === 0) await sleep(100)
  assert.match((await failed())[0]?.last_error ?? '', /5 times/)
  assert.equal(workers.filter(({ said }) => said.includes('began')).length, 5)
  const alive = workers.find(({ said }) => !said.includes('began'))
  await enqueue(t.db, 'wait', {})
  await alive?.says('began')
})

test('PostgreSQL: a request of another process reaches a job that waits for its retry, and one that runs', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  await enqueue(t.db, 'wait', { n: 1 }, { uniqueKey: 'k', delayMs: 3_600_000 })
  await rows(t.db, sql`update jobs set attempts = 13, last_error = 'no route to host'`)
  await using other = worker(t.url, 60)
  await other.says('ready')
  await enqueue(t.db, 'wait', { n: 2 }, { uniqueKey: 'k' })
  await other.says('began')
  await enqueue(t.db, 'wait', { n: 3 }, { uniqueKey: 'k' })
  other.go()
  while (other.said.filter((line) => line === 'began').length < 2) await sleep(20)
  const [job] = await rows(t.db, sql`select payload, attempts from jobs`)
  assert.deepEqual(job, { payload: { n: 3 }, attempts: 1 })
  other.go()
  while ((await rows(t.db, sql`select from jobs`)).length > 0) await sleep(20)
})
