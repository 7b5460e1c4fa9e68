import assert from 'node:assert/strict'
import { test } from 'node:test'
import { and, eq } from 'drizzle-orm'
import { records } from '#server/db/schema/boxes.ts'
import { deviceBoxes } from '#server/db/schema/devices.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { checkStored, type LoggerStream, streamAll } from '#server/testing/logger-stream.ts'
import { openMosquitto, withoutMosquitto } from '#server/testing/mosquitto.ts'
import { shopWithBoxes } from '#server/testing/readings.ts'
import { enrolled } from '#server/testing/signed-readings.ts'
import { askUntil, startWorkerProcess } from '#server/testing/worker-process.ts'

const BOXES = 5
const MESSAGES = 80
/** Several processes take a box's messages in any order, and what one of them held is sent again. */
const IN_FLIGHT = 8

test('two processes take signed readings of the outside broker; one that is killed loses, doubles and refuses none', {
  skip: withoutPostgres || withoutMosquitto,
  timeout: 240_000,
}, async () => {
  await using broker = await openMosquitto()
  await using database = await testPostgres()
  const open = async () => ({ ...database, [Symbol.asyncDispose]: async () => undefined })
  const boxIDs = Array.from({ length: BOXES }, (_, i) => `STREAM-${i}`)
  await using shop = await shopWithBoxes(boxIDs, { open, deps: { now: () => new Date() } })
  const loggers: (LoggerStream & { key: string })[] = []
  for (const box of boxIDs) {
    const signer = await enrolled(shop.admin)
    const timeS = Math.ceil(Date.now() / 1000)
    const messages = Array.from({ length: MESSAGES }, (_, i) =>
      signer.chained({
        box,
        counter: i + 1,
        readings: [{ timeS: timeS + i / 10, temperature: 2 + i / 100 }],
      }),
    )
    loggers.push({ box, messages, key: signer.id })
  }
  const env = { DATABASE_URL: database.url, MQTT_URL: broker.url }
  await using first = await startWorkerProcess(env)
  await using second = await startWorkerProcess({ ...env, DATA_DIR: first.dataDir })
  const sharesOf = (process: typeof first) => async (): Promise<number> => {
    const text = await (await process.ask('/metrics')).text()
    assert.match(text, /^befaqt_mqtt_shares\{way="alone"\} 0$/m)
    return Number(/^befaqt_mqtt_shares\{way="shared"\} (\d+)$/m.exec(text)?.[1])
  }
  for (const process of [first, second]) await askUntil(sharesOf(process), (shares) => shares === 3)
  const brokerState = async (): Promise<string> =>
    ((await (await second.ask('/readyz')).json()) as { broker: string }).broker
  await askUntil(brokerState, (state) => state === 'ok')

  let acknowledged = 0
  let killed: Promise<void> | undefined
  const onAcknowledged = (): void => {
    if (++acknowledged === 150) killed = first.kill()
  }
  const { port } = new URL(broker.url)
  await streamAll(loggers, { port: Number(port), inFlight: IN_FLIGHT, onAcknowledged })
  await killed
  await askUntil(sharesOf(second), (shares) => shares === 6)
  const { db } = shop.deps
  const countOf = (box: string): Promise<number> =>
    db.$count(records, and(eq(records.boxId, box), eq(records.kind, 'tracking')))
  for (const box of boxIDs)
    await askUntil(
      () => countOf(box),
      (count) => count === MESSAGES,
    )
  await checkStored(db, loggers, 'any')
  for (const { box, key } of loggers) {
    const [last] = await db.select().from(deviceBoxes).where(eq(deviceBoxes.deviceId, key))
    assert.deepEqual(
      [last?.boxId, last?.counter],
      [box, MESSAGES],
      'the last is the one with the highest counter',
    )
  }
  await second.stop()
})
