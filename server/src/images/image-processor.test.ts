import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import sharp from 'sharp'
import { rows } from '#server/db/client.ts'
import { fileVariants } from '#server/db/schema/files.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { callerOf } from '#server/testing/caller.ts'
import { formOf, jpeg, picture, storePicture } from '#server/testing/files.ts'
import { testShop } from '#server/testing/shop.ts'
import type { ImageProcessor } from './image-processor.ts'
import { ImageWorker, imageProcessor } from './image-processor.ts'

const order = async () =>
  ({ kind: 'resize', bytes: (await picture()).bytes, width: 240, format: 'avif' }) as const

const LONG_MS = 600_000

/** Ids of the processes that this one started and that still run. Source: proc(5). */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean).map(Number)
}

/** A process that tests look at; ended with its block. */
function ownProcess(options: { nice: number; idleMs: number; timeoutMs?: number }) {
  const work = new ImageWorker({ timeoutMs: LONG_MS, ...options })
  return Object.assign(work, { [Symbol.asyncDispose]: () => work.close() })
}

/** Waits until the system no longer runs the process; who should take note of its end may be slow or missing. */
async function gone(pid: number): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (stat === '' || /\) Z /.test(stat)) return
    await wait(20)
  }
  assert.fail(`process ${pid} still runs`)
}

test('a killed image process fails its task, and the next task gets another process', async () => {
  await using work = ownProcess({ nice: 0, idleMs: LONG_MS })
  const lost = work.run(await order())
  const { pid } = work
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  await assert.rejects(lost, /the picture process ended with SIGKILL/)
  const made = await work.run(await order())
  assert.equal((await sharp(made as Uint8Array).metadata()).width, 240)
  assert.notEqual(work.pid, pid)
})

test('a task that cannot be done fails with the reason, and the process goes on', async () => {
  await using work = ownProcess({ nice: 0, idleMs: LONG_MS })
  const bad = (bytes: Uint8Array) => work.run({ kind: 'resize', width: 240, format: 'webp', bytes })
  await assert.rejects(bad(new Uint8Array([1, 2, 3])), /unsupported image format/)
  const { pid } = work
  await assert.rejects(bad(new Uint8Array()), /empty/)
  await work.run(await order())
  assert.equal(work.pid, pid)
})

test('a hanging process is killed at its time limit, its tasks fail, and the next task gets another process', async () => {
  const what = await order()
  await using work = ownProcess({ nice: 0, idleMs: LONG_MS, timeoutMs: 5_000 })
  const first = work.run(what)
  const pid = work.pid ?? assert.fail('no process runs')
  process.kill(pid, 'SIGSTOP')
  const late = /the picture process did not answer within 5 s/
  await Promise.all([assert.rejects(first, late), assert.rejects(work.run(what), late)])
  await gone(pid)
  assert.deepEqual([work.stuck, work.pending], [1, 0])
})

test('an upload whose decoder hangs is rejected with a message, and the next one is accepted', async () => {
  await using shop = await testShop({ deps: { images: imageProcessor(pino({ level: 'silent' }), 20_000) } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const upload = async (title: string) => {
    const image = { bytes: await jpeg(), name: 'a.jpg' }
    const form = await formOf([
      ['title', title],
      ['shelfPos', '1'],
      ['catImage', image],
    ])
    return admin('POST', '/api/category', form.payload, form.headers)
  }
  const before = await childrenOf(process.pid)
  assert.equal((await upload('One')).statusCode, 201)
  const [pid, ...others] = (await childrenOf(process.pid)).filter((id) => !before.includes(id))
  assert.ok(pid !== undefined && others.length === 0)
  process.kill(pid, 'SIGSTOP')
  const refused = await Promise.all([upload('Two'), upload('Three'), upload('Four')])
  const words = refused.map((answer) => answer.json().error?.message ?? answer.statusCode)
  const late = 'The picture could not be read right now. Please try again.'
  assert.deepEqual(words.sort(), [201, late, late], 'the third had its turn with another process')
  assert.equal(shop.deps.images.stats().stuck, 1)
  assert.equal((await upload('Five')).statusCode, 201)
})

test('an idle process ends, and the next task gets another', async () => {
  await using work = ownProcess({ nice: 0, idleMs: 1 })
  const made = work.run(await order())
  const pid = work.pid ?? assert.fail('no process runs')
  await made
  await gone(pid)
  await work.run(await order())
})

test('a process that is told to stop finishes its task; it has none of our settings in its environment', async () => {
  process.env.SMTP_URL = 'smtp://user:heron-secret@localhost'
  await using work = ownProcess({ nice: 3, idleMs: LONG_MS })
  await work.run(await order())
  const pid = work.pid ?? assert.fail('no process runs')
  const next = work.run(await order())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
  assert.ok((await next) instanceof Uint8Array)
  assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /heron-secret|SMTP_URL/)
})

test('after closing no process runs and no task is accepted', async () => {
  const work = new ImageWorker({ nice: 0, idleMs: LONG_MS, timeoutMs: LONG_MS })
  const cut = assert.rejects(work.run(await order()), /ended with SIGKILL/)
  const pid = work.pid ?? assert.fail('no process runs')
  await work.close()
  await cut
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  await assert.rejects(work.run(await order()), /has been closed/)
})

test('the image process does not outlive a killed server', async () => {
  const program = fileURLToPath(new URL('../testing/resize-until-killed.ts', import.meta.url))
  const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(server.stdout, 'data')
  server.kill('SIGKILL')
  assert.match(String(printed), /^\d+\n$/)
  await gone(Number(printed))
})

test('variants whose process died are made at the next attempt, and only those that are missing', async () => {
  await using work = ownProcess({ nice: 0, idleMs: LONG_MS })
  let orders = 0
  const images: ImageProcessor = {
    normalize: () => assert.fail('nothing is uploaded'),
    stats: () => ({ stuck: work.stuck, inHand: work.pending }),
    close: () => work.close(),
    resize: (bytes, width, format) => {
      const made = work.run({ kind: 'resize', bytes, width, format }) as Promise<Uint8Array>
      if (++orders === 3 && work.pid !== undefined) process.kill(work.pid, 'SIGKILL')
      return made
    },
  }
  await using shop = await testShop({ deps: { images } })
  const { db, log } = shop.deps
  const { path } = await storePicture(shop.deps, await picture())
  const never = new AbortController().signal
  assert.equal(await runDueJobs(db, fileJobs(shop.deps), log, never), 0)
  assert.equal(await db.$count(fileVariants), 2)
  const [job] = await rows(db, sql`select attempts, last_error, failed_at from jobs`)
  assert.deepEqual(job, {
    attempts: 1,
    last_error: 'the picture process ended with SIGKILL',
    failed_at: null,
  })
  await rows(db, sql`update jobs set run_at = now()`)
  assert.equal(await runDueJobs(db, fileJobs(shop.deps), log, never), 1)
  assert.equal(await db.$count(fileVariants), 4)
  assert.equal(orders, 5, 'what was there was not made again')
  const { rawPayload } = await shop.app.inject(`/api/file/${path}?w=480&f=avif`)
  assert.equal((await sharp(rawPayload).metadata()).width, 480)
})
