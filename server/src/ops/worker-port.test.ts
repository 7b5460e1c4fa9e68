import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { freePort } from '../../../tools/test/free-port.ts'

const WORKER = fileURLToPath(new URL('../worker.ts', import.meta.url))

/** The worker program with a port of its own, once it says that it is ready. */
async function startWorker(more: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'befaqt-worker-'))
  const port = await freePort()
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env
  const quiet = { LOG_LEVEL: 'silent', SAMPLE_DATA: 'off', DRAIN_S: '0', MQTT_PORT: '0' }
  const child = spawn(process.execPath, [WORKER], {
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS,
      DATA_DIR: dataDir,
      WORKER_PORT: `${port}`,
      ...quiet,
      ...more,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    if (line.includes('worker is ready')) ready.resolve()
  })
  await Promise.race([ready.promise, ended.then(() => assert.fail(said.join('\n')))])
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return {
    dataDir,
    ask,
    leads: async () => /^befaqt_leader (\d)$/m.exec(await (await ask('/metrics')).text())?.[1],
    stop: async () => {
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null], said.join('\n'))
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Asks until the answer is as wanted; the time limit of the test run ends what never comes. */
async function until<Answer>(ask: () => Promise<Answer>, isWanted: (answer: Answer) => boolean) {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await sleep(100)
  }
}

const TIMEOUT = { timeout: 240_000 }

test('a worker answers probes and metrics on its port, and nothing else', TIMEOUT, async () => {
  await using worker = await startWorker()
  assert.equal((await worker.ask('/healthz')).status, 200)
  const ready = await until(
    () => worker.ask('/readyz'),
    ({ status }) => status === 200,
  )
  const { ok, database } = (await ready.json()) as Record<string, unknown>
  assert.deepEqual([ok, database], [true, 'ok'])
  await until(worker.leads, (leads) => leads === '1')
  const metrics = await worker.ask('/metrics')
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  for (const path of ['/', '/api/product/active', '/manage'])
    assert.equal((await worker.ask(path)).status, 404, path)
  assert.equal((await worker.ask(`/healthz?${'x'.repeat(5_000)}`)).status, 400, 'limits hold there, too')
  await worker.stop()
})

test('of two workers on one database one reports that it leads, and the other one once the first is gone', {
  skip: withoutPostgres,
  ...TIMEOUT,
}, async () => {
  await using database = await testPostgres()
  const env = { DATABASE_URL: database.url }
  await using first = await startWorker(env)
  await until(first.leads, (leads) => leads === '1')
  await using second = await startWorker({ ...env, DATA_DIR: first.dataDir }) // one key for both
  assert.deepEqual([await first.leads(), await second.leads()], ['1', '0'])
  await first.stop()
  await until(second.leads, (leads) => leads === '1')
})
