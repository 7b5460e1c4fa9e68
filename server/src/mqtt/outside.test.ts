import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Aedes, type Client } from 'aedes'
import { eq, sql } from 'drizzle-orm'
import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { testDatabases, testPostgres, testPostgresUrl } from '#server/db/testing.ts'
import type { Deps } from '#server/deps.ts'
import { newIntake } from '#server/ingestion/intake.ts'
import { kindsOf, shopWithBoxes } from '#server/ingestion/testing.ts'
import { followBroker } from './start-mqtt.ts'
import { connectTo, nextMessage, publishAcknowledged, published, refusedOf, trackingOf } from './testing.ts'

const USER = { username: 'shop', password: 'herring/and@ice' }

/**
 * Somebody else's broker, on a port of its own, for who knows the password. It can go away and come back, and may take
 * its time before it takes a message.
 */
async function openOutside(beforeTaking: (topic: string) => Promise<void> = async () => undefined) {
  const aedes = await Aedes.createBroker({
    authorizePublish: (_client, { topic }, done) => void beforeTaking(topic).then(() => done(null), done),
    authenticate: (_client, user, password, done) =>
      done(null, user === USER.username && password?.toString() === USER.password),
  })
  const inside = new Set<Socket>()
  const server = createServer((socket) => {
    inside.add(socket.on('close', () => inside.delete(socket)))
    aedes.handle(socket)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const away = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of inside) socket.destroy()
    await closed
  }
  const port = await listen(0)
  const password = encodeURIComponent(USER.password)
  return {
    port,
    url: `mqtt://${USER.username}:${password}@127.0.0.1:${port}`,
    device: () => connectTo(port, USER),
    away,
    back: () => listen(port),
    /** The next reading that the shop, which has a kept session, acknowledges: its payload. */
    acknowledged: (): Promise<string> =>
      new Promise((told) => {
        const hear = (packet: object, client: Client): void => {
          if (client.clean) return
          aedes.off('ack', hear)
          told('payload' in packet ? String(packet.payload) : '')
        }
        aedes.on('ack', hear)
      }),
    /** Payloads of all messages that the shop acknowledges from now on, as they come. */
    acknowledgements: (): string[] => {
      const payloads: string[] = []
      aedes.on('ack', (packet: object, client: Client) => {
        if (!client.clean && 'payload' in packet) payloads.push(String(packet.payload))
      })
      return payloads
    },
    /** Somebody has subscribed. */
    subscribed: (): Promise<unknown> => once(aedes, 'subscribe'),
    async [Symbol.asyncDispose]() {
      if (server.listening) await away()
      await new Promise<void>((closed) => aedes.close(closed))
    },
  }
}

/** A process of the shop that follows the broker at `url`; what it logs is kept. */
async function follower(deps: Deps, url: string) {
  const lines: string[] = []
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const config = { ...deps.config, MQTT_URL: readConfig({ MQTT_URL: url }).MQTT_URL }
  const intake = newIntake()
  const end = await followBroker({ ...deps, intake, config: { ...deps.config, ...config }, log: pino(kept) })
  assert.ok(end)
  return { log: () => lines.join(''), intake, end, [Symbol.asyncDispose]: end }
}

for (const [name, open] of testDatabases)
  test(`${name}: readings of an outside broker are stored once, and refused ones are answered there`, async () => {
    await using shop = await shopWithBoxes(['BOX-1'], { open })
    await using outside = await openOutside()
    const ready = outside.subscribed()
    await using shopProcess = await follower(shop.deps, outside.url)
    await ready
    const device = await outside.device()
    await device.subscribeAsync('befaqt/+/refused', { qos: 1 })
    for (const i of [0, 0, 1]) {
      const stored = outside.acknowledged()
      await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
      assert.equal(await stored, published(i))
    }
    for (const [topic, payload, path] of [
      ['BOX-1', published(2, { temperature: 900 }), 'temperature'],
      ['NOPE', published(2), 'box'],
      ['BOX-1', 'no reading', ''],
      ['BOX-1', 'x'.repeat(1_000_000), ''],
    ] as const) {
      const told = nextMessage(device)
      await publishAcknowledged(device, trackingOf(topic), payload)
      const message = await told
      assert.deepEqual([message.topic, message.said.refused[0]?.path], [refusedOf(topic), path])
    }
    const passedOver = outside.acknowledged()
    await publishAcknowledged(device, 'befaqt/no box/tracking', published(3))
    await passedOver
    assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), [
      'registration',
      ...['tracking', 'freshness', 'tracking', 'freshness'],
    ])
    assert.deepEqual(shopProcess.intake.counts, { accepted: 2, duplicate: 1, refused: 4 })
    assert.deepEqual(shopProcess.intake.broker, { kind: 'outside', up: true, devices: 0 })
    device.end(true)
  })

test('the outside broker hears no acknowledgement before the reading is stored', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  const ready = outside.subscribed()
  await using _shopProcess = await follower(shop.deps, outside.url)
  await ready
  const device = await outside.device()
  const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = shop.deps.db.transaction(async (tx) => {
    await tx.select().from(boxes).for('update')
    holding.resolve()
    await release.promise
  })
  await holding.promise
  let acknowledged = false
  const stored = outside.acknowledged().then(() => {
    acknowledged = true
  })
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  for (let i = 0; i < 20; i++) await device.unsubscribeAsync('x') // twenty times there and back
  assert.equal(acknowledged, false)
  release.resolve()
  await held
  await stored
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
  device.end(true)
})

test('what could not be stored comes again, and is stored then', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  const ready = outside.subscribed()
  await using shopProcess = await follower(shop.deps, outside.url)
  await ready
  await rows(shop.deps.db, sql`alter table records rename to elsewhere`)
  const device = await outside.device()
  const again = outside.subscribed()
  const stored = outside.acknowledged()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  await again
  await rows(shop.deps.db, sql`alter table elsewhere rename to records`)
  await stored
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
  assert.match(shopProcess.log(), /could not be stored/)
  device.end(true)
})

test('a damaged box costs nobody else anything: its reading is refused, and the connection stays', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  await using outside = await openOutside()
  const ready = outside.subscribed()
  await using shopProcess = await follower(shop.deps, outside.url)
  await ready
  await shop.deps.db.update(boxes).set({ head: 'no hash' }).where(eq(boxes.id, 'BOX-2'))
  const device = await outside.device()
  await device.subscribeAsync('befaqt/+/refused', { qos: 1 })
  const told = nextMessage(device)
  await Promise.all(
    ['BOX-2', 'BOX-1'].map((box) => publishAcknowledged(device, trackingOf(box), published(0))),
  )
  const { topic, said } = await told
  assert.equal(topic, refusedOf('BOX-2'))
  assert.match(said.refused[0]?.message ?? '', /damaged/)
  await publishAcknowledged(device, trackingOf('BOX-1'), published(1))
  while (shopProcess.intake.counts.accepted < 2) await new Promise(setImmediate)
  assert.match(shopProcess.log(), /"box":"BOX-2".*a box is damaged/)
  assert.equal(shopProcess.log().match(/taking readings from/g)?.length, 1, 'connected once')
  device.end(true)
})

test('a refusal is safe at the broker before its message is acknowledged, and later messages wait their turn', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const [refusing, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using outside = await openOutside(async (topic) => {
    if (!topic.endsWith('/refused')) return
    refusing.resolve()
    await safe.promise
  })
  const ready = outside.subscribed()
  await using shopProcess = await follower(shop.deps, outside.url)
  await ready
  const acknowledged = outside.acknowledgements()
  const device = await outside.device()
  const payloads = [published(0), 'no reading', published(1), published(2)]
  for (const payload of payloads) await publishAcknowledged(device, trackingOf('BOX-1'), payload)
  await refusing.promise
  while (shopProcess.intake.counts.accepted < 3) await new Promise(setImmediate)
  for (let i = 0; i < 20; i++) await device.unsubscribeAsync('x') // twenty times there and back
  assert.deepEqual(acknowledged, payloads.slice(0, 1))
  safe.resolve()
  while (acknowledged.length < payloads.length) await new Promise(setImmediate)
  assert.deepEqual(acknowledged, payloads)
  device.end(true)
})

test('a flood of what is refused does not keep the shop from hearing the answers to its refusals', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  const ready = outside.subscribed()
  await using shopProcess = await follower(shop.deps, outside.url)
  await ready
  const acknowledged = outside.acknowledgements()
  const device = await outside.device()
  for (let i = 0; i < 3_000; i++) device.publish(trackingOf('BOX-1'), `no reading ${i}`, { qos: 0 })
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  while (acknowledged.length === 0) await new Promise(setImmediate)
  assert.equal(shopProcess.intake.counts.accepted, 1)
  device.end(true)
})

test('a broker that went away is connected to again, and its password stands in no log', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  await outside.away()
  await using shopProcess = await follower(shop.deps, outside.url)
  for (let i = 0; i < 2; i++) {
    while (shopProcess.intake.broker.up) await new Promise(setImmediate)
    const ready = outside.subscribed()
    await outside.back()
    await ready
    const stored = outside.acknowledged()
    const device = await outside.device()
    await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
    assert.equal(await stored, published(i))
    assert.equal(shopProcess.intake.broker.up, true)
    device.end(true)
    if (i === 0) await outside.away()
  }
  const log = shopProcess.log()
  assert.match(log, /the MQTT broker is not there/)
  assert.equal(log.includes('herring'), false)
  assert.equal(log.match(/is not there/g)?.length, 2, 'said once each time')
  assert.equal((await kindsOf(shop.deps.db, 'BOX-1')).length, 5)
})

test('the broker keeps what is published while the shop is not running', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  const ready = outside.subscribed()
  const first = await follower(shop.deps, outside.url)
  await ready
  await first.end()
  const device = await outside.device()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  const stored = outside.acknowledged()
  await using _second = await follower(shop.deps, outside.url)
  assert.equal(await stored, published(0))
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
  device.end(true)
})

test('of several processes one is connected at a time, and another takes over when it ends', {
  skip: testPostgresUrl === undefined && 'no PostgreSQL server: TEST_DATABASE_URL is not set',
}, async () => {
  await using shop = await shopWithBoxes(['BOX-1'], { open: testPostgres })
  await using outside = await openOutside()
  const ready = outside.subscribed()
  const first = await follower(shop.deps, outside.url)
  await ready
  await using second = await follower(shop.deps, outside.url)
  const device = await outside.device()
  for (const i of [0, 1, 2]) {
    const stored = outside.acknowledged()
    await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
    await stored
  }
  assert.deepEqual([first.intake.counts.accepted, second.intake.counts.accepted], [3, 0])
  const over = outside.subscribed()
  await first.end()
  await over
  const stored = outside.acknowledged()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(3))
  await stored
  assert.equal(second.intake.counts.accepted, 1)
  device.end(true)
})
