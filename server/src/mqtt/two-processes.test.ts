import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openMosquitto, withoutMosquitto } from '#server/testing/mosquitto.ts'
import { askUntil, startWorkerProcess } from '#server/testing/worker-process.ts'

test('beside a process that is connected to the outside broker a second one starts, and takes over when it ends', {
  skip: withoutPostgres || withoutMosquitto,
  timeout: 240_000,
}, async () => {
  await using broker = await openMosquitto()
  await using database = await testPostgres()
  const env = { DATABASE_URL: database.url, MQTT_URL: broker.url }
  await using first = await startWorkerProcess(env)
  const isConnected = (process: typeof first) => async (): Promise<boolean> =>
    /^befaqt_mqtt_up 1$/m.test(await (await process.ask('/metrics')).text())
  await askUntil(isConnected(first), (is) => is)
  await using second = await startWorkerProcess({ ...env, DATA_DIR: first.dataDir })
  assert.equal((await second.ask('/healthz')).status, 200)
  assert.equal(await isConnected(second)(), false, 'one process at a time is connected')
  await first.stop()
  await askUntil(isConnected(second), (is) => is)
  await second.stop()
})
