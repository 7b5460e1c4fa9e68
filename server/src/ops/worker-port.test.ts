import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { askUntil, startWorkerProcess } from '#server/testing/worker-process.ts'

const TIMEOUT = { timeout: 240_000 }

test('a worker answers probes and metrics on its port, and nothing else', TIMEOUT, async () => {
  await using worker = await startWorkerProcess()
  assert.equal((await worker.ask('/healthz')).status, 200)
  const ready = await askUntil(
    () => worker.ask('/readyz'),
    ({ status }) => status === 200,
  )
  const { ok, database } = (await ready.json()) as Record<string, unknown>
  assert.deepEqual([ok, database], [true, 'ok'])
  await askUntil(worker.leads, (leads) => leads === '1')
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
  await using first = await startWorkerProcess(env)
  await askUntil(first.leads, (leads) => leads === '1')
  await using second = await startWorkerProcess({ ...env, DATA_DIR: first.dataDir }) // one key for both
  assert.deepEqual([await first.leads(), await second.leads()], ['1', '0'])
  await first.stop()
  await askUntil(second.leads, (leads) => leads === '1')
})
