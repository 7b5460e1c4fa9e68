import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '#server/config/config.ts'
import { connectTo } from '#server/testing/mqtt.ts'
import { testShop } from '#server/testing/shop.ts'
import { startEmbeddedBroker } from './start-mqtt.ts'

/** A port that another program listens on. */
async function takenPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

/** Opens the broker as these settings say; answers what was printed. */
async function open(env: Record<string, string>, usualPort?: number) {
  const shop = await testShop()
  const printed: string[] = []
  const deps = {
    ...shop.deps,
    config: { ...shop.deps.config, ...readConfig({ ...env, LOG_LEVEL: 'silent' }) },
  }
  const end = await startEmbeddedBroker(deps, (text) => printed.push(text), usualPort).finally(() =>
    shop[Symbol.asyncDispose](),
  )
  return { printed, end, broker: shop.deps.ingestion.broker }
}

test('a configured port that is taken stops the start with a message that names the setting', async () => {
  await using taken = await takenPort()
  await assert.rejects(
    open({ MQTT_PORT: String(taken.port) }),
    /^Error: Wrong setting\. MQTT_PORT: 127\.0\.0\.1:\d+ is already in use by another program\./,
  )
})

test('when the default MQTT port is taken, the shop starts without MQTT and logs one line', async () => {
  await using taken = await takenPort()
  const { printed, end, broker } = await open({}, taken.port)
  assert.equal(end, undefined)
  assert.equal(printed.length, 1)
  assert.match(printed[0] ?? '', /^MQTT is off\. .*is already in use by another program.*MQTT_PORT/)
  assert.deepEqual([broker.kind, broker.up, broker.devices], ['off', false, 0])
})

test('devices can connect at the default port, but not with MQTT_PORT=0 or an external broker', async () => {
  const port = await takenPort().then(async (taken) => {
    await taken[Symbol.asyncDispose]()
    return taken.port
  })
  const { printed, end, broker } = await open({}, port)
  assert.deepEqual([printed, broker.kind, broker.up], [[], 'embedded', true])
  await assert.rejects(connectTo(port, {}), ({ code }: { code?: number }) => code === 4, 'it asks for a key')
  await end?.()
  for (const env of [{ MQTT_PORT: '0' }, { MQTT_URL: 'mqtt://broker.example', MQTT_PORT: '1' }]) {
    const off = await open(env, port)
    assert.deepEqual([off.printed, off.end, off.broker.up], [[], undefined, false])
  }
})
