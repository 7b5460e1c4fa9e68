import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, connectAsync, type MqttClient } from 'mqtt'
import { freePort } from '../../tools/test/free-port.ts'
import { registerBox } from '../support/boxes.ts'
import { type Server, startServer } from '../support/server.ts'
import { within } from '../support/within.ts'

const BOX = 'DEVICE-1'
const READINGS = 150
/** Readings sent at the same time, so that some are in flight when the server is killed. */
const IN_FLIGHT = 8
/** Number of acknowledgements after a start at which the server is killed. */
const KILL_AFTER = [15, 40]

/** The time of the `i`th reading, which also identifies it. */
const timeOf = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString()

/** The times of the readings that the box has, in the order of its history. */
async function storedIn(server: Server): Promise<string[]> {
  const { iotResult } = (await (await server.call(`/api/box/${BOX}`)).json()) as {
    iotResult: { iotTracking: { time: string }[] } | null
  }
  return iotResult?.iotTracking.map(({ time }) => time) ?? []
}

/** Publishes all readings, some concurrently, on a connection that reconnects; calls back at each acknowledgement. */
async function publishAll(device: MqttClient, acknowledged: (time: string) => void): Promise<void> {
  const left = Array.from({ length: READINGS }, (_, i) => timeOf(i)).values()
  const lane = async (): Promise<void> => {
    for (const time of left) {
      const reading = { time, iotID: 'L-1', latitude: -33.5, longitude: 151.5, temperature: 2 }
      await device.publishAsync(`befaqt/${BOX}/tracking`, JSON.stringify(reading), { qos: 1 })
      acknowledged(time)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
}

test('kills lose no acknowledged reading, and none is stored twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'befaqt-devices-'))
  const port = await freePort()
  const start = () => startServer({ dataDir, env: { MQTT_PORT: String(port), SAMPLE_DATA: 'off' } })
  let server = await start()
  await registerBox(server, BOX)
  const username = 'key'
  const password = await server.operatorKey()
  const device = connect({ host: '127.0.0.1', port, username, password, reconnectPeriod: 100 })
  device.on('error', () => undefined) // it comes back by itself
  const told: string[] = []
  let heard = (): void => undefined
  const all = publishAll(device, (time) => {
    told.push(time)
    heard()
  })
  const acknowledged = (more: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wanted = told.length + more
    heard = () => told.length >= wanted && resolve()
    return within(60, `${more} readings are acknowledged`, promise)
  }
  try {
    for (const more of KILL_AFTER) {
      await acknowledged(more)
      await server.kill()
      const promised = [...told]
      server = await start()
      const stored = new Set(await storedIn(server))
      const lost = promised.filter((time) => !stored.has(time))
      assert.deepEqual(lost, [])
    }
    await within(120, 'every reading is acknowledged', all)
    assert.equal(told.length, READINGS)
    assert.deepEqual((await storedIn(server)).sort(), told.toSorted(), 'once each, although some came again')
  } finally {
    device.end(true)
    await server[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  }
})

test('a shop with connected devices stops cleanly, and another on the same MQTT port does not start', async () => {
  const port = await freePort()
  const env = { MQTT_PORT: String(port), SAMPLE_DATA: 'off' }
  await using server = await startServer({ env })
  const password = await server.operatorKey()
  const device = await connectAsync({
    host: '127.0.0.1',
    port,
    username: 'key',
    password,
    reconnectPeriod: 0,
  })
  const metrics = await (await server.call('/metrics')).text()
  assert.match(metrics, /^befaqt_mqtt_up 1$/m)
  assert.match(metrics, /^befaqt_mqtt_devices 1$/m)
  await assert.rejects(startServer({ env }), /Wrong setting\. MQTT_PORT: 127\.0\.0\.1:\d+ is already in use/)
  const cut = new Promise((gone) => device.once('close', () => gone(undefined)))
  await server.stop()
  await within(10, 'the device is cut off', cut)
})
