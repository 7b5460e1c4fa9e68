import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { nextMessage, publishAcknowledged, published, refusedOf, trackingOf } from '#server/testing/mqtt.ts'
import { connectedShop, follower, openOutside } from '#server/testing/outside-broker.ts'
import { kindsOf, lockAllBoxes, shopWithBoxes } from '#server/testing/readings.ts'
import { tryBroker } from './outside-client.ts'

for (const [name, open] of testDatabases)
  test(`${name}: readings from an external broker are stored once, and rejections are published there`, async () => {
    await using connected = await connectedShop(['BOX-1'], { open })
    const { shop, outside, shopProcess } = connected
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
    assert.deepEqual(shopProcess.ingestion.counts, { accepted: 2, duplicate: 1, refused: 4 })
    const broker = { kind: 'outside', up: true, way: 'alone', shares: { up: 1, of: 1 }, devices: 0 }
    assert.deepEqual(shopProcess.ingestion.broker, broker)
    device.end(true)
  })

test('whoever asks a broker without MQTT 5 is told that one process takes all readings', async () => {
  await using outside = await openOutside()
  assert.equal(await tryBroker(new URL(outside.url), 4_000), 'alone')
})

test('the external broker gets no acknowledgement before the reading is stored', async () => {
  await using connected = await connectedShop(['BOX-1'])
  const { shop, outside } = connected
  const device = await outside.device()
  const unlock = await lockAllBoxes(shop.deps.db)
  let acknowledged = false
  const stored = outside.acknowledged().then(() => {
    acknowledged = true
  })
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  for (let i = 0; i < 20; i++) await device.unsubscribeAsync('x') // twenty times there and back
  assert.equal(acknowledged, false)
  await unlock()
  await stored
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
  device.end(true)
})

test('a reading that could not be stored is redelivered, and stored then', async () => {
  await using connected = await connectedShop(['BOX-1'])
  const { shop, outside, shopProcess } = connected
  await rows(shop.deps.db, sql`alter table records rename to elsewhere`)
  const device = await outside.device()
  const again = outside.subscribed()
  const stored = outside.acknowledged()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  await again
  await rows(shop.deps.db, sql`alter table elsewhere rename to records`)
  await stored
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
  assert.match(shopProcess.log(), /storing a reading failed/)
  device.end(true)
})

test('a broker that went away is reconnected, and its password is in no log', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using outside = await openOutside()
  await outside.away()
  await using shopProcess = await follower(shop.deps, outside.url)
  for (let i = 0; i < 2; i++) {
    while (shopProcess.ingestion.broker.up) await new Promise(setImmediate)
    const ready = outside.subscribed()
    await outside.back()
    await ready
    const stored = outside.acknowledged()
    const device = await outside.device()
    await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
    assert.equal(await stored, published(i))
    assert.equal(shopProcess.ingestion.broker.up, true)
    device.end(true)
    if (i === 0) await outside.away()
  }
  const log = shopProcess.log()
  assert.match(log, /MQTT broker disconnected/)
  assert.equal(log.includes('herring'), false)
  assert.equal(log.match(/MQTT broker disconnected/g)?.length, 2, 'said once each time')
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

test('one process at a time is connected to a broker without MQTT 5, says so, and another takes over when it ends', {
  skip: withoutPostgres,
}, async () => {
  const database = await testPostgres()
  await using shop = await shopWithBoxes(['BOX-1'], { open: async () => database })
  await using outside = await openOutside()
  const ready = outside.subscribed()
  await using first = await follower(shop.deps, outside.url)
  await ready
  const other = await openPostgres(database.url, () => undefined) // leadership is held by a process's own connection
  await using _closed = { [Symbol.asyncDispose]: () => other.close() }
  await using second = await follower({ ...shop.deps, database: other, db: other.db }, outside.url)
  const device = await outside.device()
  for (const i of [0, 1, 2]) {
    const stored = outside.acknowledged()
    await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
    await stored
  }
  assert.deepEqual([first.ingestion.counts.accepted, second.ingestion.counts.accepted], [3, 0])
  while (second.ingestion.broker.way === null) await new Promise(setImmediate)
  for (const process of [first, second])
    assert.equal(process.log().match(/cannot be divided: one process takes all/g)?.length, 1)
  const over = outside.subscribed()
  await first.end()
  await over
  const stored = outside.acknowledged()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(3))
  await stored
  assert.equal(second.ingestion.counts.accepted, 1)
  device.end(true)
})
