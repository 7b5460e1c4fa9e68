import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiKey, listApiKeys, revokeApiKey } from '#server/accounts/api-keys.ts'
import { records } from '#server/db/schema/boxes.ts'
import {
  connectTo,
  cutOff,
  openTestBroker,
  publishAcknowledged,
  published,
  refusedOf,
  trackingOf,
} from '#server/testing/mqtt.ts'
import { historyOf, keyFor, kindsOf, NOW, shopWithBoxes } from '#server/testing/readings.ts'
import { messageRate } from './device.ts'

const BAD_USER_OR_PASSWORD = 4
/** Messages of one connection that pass before it is slowed down. */
const BURST = 2_000

test('only a key with record:write can connect, with the user name "key"', async () => {
  await using shop = await shopWithBoxes()
  await using broker = await openTestBroker(shop.deps)
  const good = await keyFor(shop, 'record:write')
  const asked = { name: 'lost', rights: ['record:write' as const] }
  const revoked = await createApiKey(shop.deps.db, asked, 'test', NOW)
  await revokeApiKey(shop.deps.db, revoked.id, NOW)
  const wrong: [key: string, more: object][] = [
    [`${good}x`, {}],
    ['', {}],
    [revoked.key, {}],
    [good, { username: 'admin' }],
    [good, { username: '' }],
    [await keyFor(shop, 'box:write'), {}],
  ]
  await Promise.all(
    wrong.map(([key, more]) =>
      assert.rejects(
        broker.device(key, more),
        ({ code }: { code?: number }) => code === BAD_USER_OR_PASSWORD,
      ),
    ),
  )
  await assert.rejects(
    connectTo(broker.port, {}),
    ({ code }: { code?: number }) => code === BAD_USER_OR_PASSWORD,
  )
  await assert.rejects(broker.device(good, { protocolVersion: 5 }), /refused|unsupported|protocol/i)
  assert.equal((await broker.device(good)).connected, true)
  assert.equal(shop.deps.ingestion.broker.devices, 1)
})

/** Publishes and expects to be cut off without an acknowledgement. */
async function assertCutOff(client: Awaited<ReturnType<Broker['device']>>, topic: string): Promise<void> {
  const cut = cutOff(client)
  let acknowledged = false
  client.publish(topic, published(0), { qos: 1 }, (error) => {
    acknowledged = error == null
  })
  await cut
  assert.equal(acknowledged, false, topic)
}
type Broker = Awaited<ReturnType<typeof openTestBroker>>

test('publishing to a forbidden topic closes the connection, and nothing is stored', async () => {
  await using shop = await shopWithBoxes()
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write', ['BOX-2'])
  const topics = [
    trackingOf('BOX-1'),
    refusedOf('BOX-2'),
    'befaqt/BOX-2',
    'befaqt/BOX-2/tracking/x',
    'Befaqt/BOX-2/tracking',
    '/befaqt/BOX-2/tracking',
    'befaqt/BOX 2/tracking',
    '$SYS/x/heartbeat',
    'befaqt/+/tracking',
    'befaqt/#',
    'other',
  ]
  for (const topic of topics) await assertCutOff(await broker.device(key), topic)
  assert.equal(await shop.deps.db.$count(records), 2, 'the two registrations')
  const device = await broker.device(key)
  await publishAcknowledged(device, trackingOf('BOX-2'), published(0))
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-2'), ['registration', 'tracking', 'freshness'])
})

test('a key can subscribe to the rejections of its boxes and to nothing else', async () => {
  await using shop = await shopWithBoxes()
  await using broker = await openTestBroker(shop.deps)
  const some = await broker.device(await keyFor(shop, 'record:write', ['BOX-2']))
  const all = await broker.device(await keyFor(shop, 'record:write'))
  const may = async (client: typeof some, topic: string): Promise<boolean> =>
    client.subscribeAsync(topic, { qos: 1 }).then(
      () => true,
      () => false,
    )
  for (const [topic, one, every] of [
    [refusedOf('BOX-2'), true, true],
    [refusedOf('BOX-1'), false, true],
    ['befaqt/+/refused', false, true],
    [trackingOf('BOX-2'), false, false],
    ['befaqt/#', false, false],
    ['#', false, false],
    ['+/+/refused', false, false],
    ['$SYS/#', false, false],
    ['$share/x/befaqt/+/refused', false, false],
  ] as const)
    assert.deepEqual([topic, await may(some, topic), await may(all, topic)], [topic, one, every])
})

test('a key that is revoked is noticed at its next message or ping, a second later at the latest', async () => {
  let now = NOW
  await using shop = await shopWithBoxes(['BOX-1'], { deps: { now: () => now } })
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const [sender, listener] = [await broker.device(key), await broker.device(key)]
  await publishAcknowledged(sender, trackingOf('BOX-1'), published(0))
  const [view] = await listApiKeys(shop.deps.db)
  await revokeApiKey(shop.deps.db, view?.id ?? '', now)
  now = new Date(now.getTime() + 1_000)
  await assertCutOff(sender, trackingOf('BOX-1'))
  const cut = cutOff(listener)
  listener.sendPing()
  await cut
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
})

test('messages keep their order while their key is looked up again', async () => {
  let now = NOW
  await using shop = await shopWithBoxes(['BOX-1'], { deps: { now: () => now } })
  await using broker = await openTestBroker(shop.deps)
  const device = await broker.device(await keyFor(shop, 'record:write'))
  now = new Date(now.getTime() + 1_000)
  const order = [4, 3, 2, 1, 0]
  await Promise.all(order.map((i) => device.publishAsync(trackingOf('BOX-1'), published(i), { qos: 1 })))
  const history = await historyOf(shop.deps.db, 'BOX-1')
  assert.deepEqual(
    history.flatMap(({ kind, at }) => (kind === 'tracking' ? [at] : [])),
    order.map((i) => JSON.parse(published(i)).time),
  )
})

test('a device is not disconnected by the same client id under another key, only by its own reconnection', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const [key, other] = [await keyFor(shop, 'record:write'), await keyFor(shop, 'record:write')]
  const first = await broker.device(key, { clientId: 'logger' })
  await broker.device(other, { clientId: 'logger' })
  await publishAcknowledged(first, trackingOf('BOX-1'), published(0))
  const cut = cutOff(first)
  const again = await broker.device(key, { clientId: 'logger' })
  await cut
  await publishAcknowledged(again, trackingOf('BOX-1'), published(1))
})

test('a flood from one key is slowed down, and holds up nobody else', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const flooding = await broker.device(await keyFor(shop, 'record:write'))
  const other = await broker.device(await keyFor(shop, 'record:write'))
  let acknowledged = 0
  const flood = Array.from({ length: BURST + 150 }, () =>
    flooding.publishAsync(trackingOf('NOPE'), 'flood', { qos: 1 }).then(() => acknowledged++),
  )
  await publishAcknowledged(other, trackingOf('BOX-1'), published(0))
  assert.ok(acknowledged < flood.length, `${acknowledged} of the flood came first`)
  assert.equal(await shop.deps.db.$count(records), 3)
  await Promise.all(flood)
})

test('no session, will or retained message is stored for any client', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const will = {
    topic: trackingOf('BOX-1'),
    payload: Buffer.from(published(9)),
    qos: 1,
    retain: false,
  } as const
  const device = await broker.device(key, { clientId: 'logger', clean: false, will })
  await device.subscribeAsync(refusedOf('BOX-1'), { qos: 1 })
  const watcher = await broker.device(key)
  await device.publishAsync(trackingOf('BOX-1'), published(0), { qos: 1, retain: true })
  device.stream.destroy()
  await cutOff(device)
  await publishAcknowledged(watcher, trackingOf('BOX-1'), 'no reading')
  const again = await broker.device(key, { clientId: 'logger', clean: false, manualConnect: false })
  let heard = 0
  again.on('message', () => {
    heard++
  })
  await again.unsubscribeAsync('befaqt/none/refused')
  assert.equal(heard, 0)
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'], 'no will')
})

test('after a burst messages are delayed, and a pause restores the burst', () => {
  let now = 0
  const wait = messageRate(10, 3, () => now)
  assert.deepEqual([wait(), wait(), wait(), wait(), wait()], [0, 0, 0, 100, 200])
  now = 200
  assert.equal(wait(), 100)
  now = 10_000
  assert.deepEqual([wait(), wait(), wait(), wait()], [0, 0, 0, 100])
})
