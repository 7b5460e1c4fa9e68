import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IngestionState } from '#server/ingestion/box-state-cache.ts'
import { openMosquitto, withoutMosquitto } from '#server/testing/mosquitto.ts'
import { nextMessage, publishAcknowledged, published, refusedOf, trackingOf } from '#server/testing/mqtt.ts'
import { follower } from '#server/testing/outside-broker.ts'
import { kindsOf, shopWithBoxes } from '#server/testing/readings.ts'
import { SHARES } from './broker-shares.ts'

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((again) => setTimeout(again, 20))
}

const isUp = ({ ingestion }: { ingestion: IngestionState }): Promise<void> => until(() => ingestion.broker.up)
const handled = ({ counts }: IngestionState): number => counts.accepted + counts.duplicate + counts.refused

test('Mosquitto: readings are stored once, rejections are published, and none blocks the next', {
  skip: withoutMosquitto,
}, async () => {
  await using broker = await openMosquitto()
  await using shop = await shopWithBoxes(['BOX-1'])
  const isDivided = broker.says(/Received SUBSCRIBE from befaqt-/, SHARES + 1)
  await using process_ = await follower(shop.deps, broker.url)
  await isUp(process_)
  await isDivided // before that the first session stores what is of others too
  const device = await broker.device()
  await device.subscribeAsync('befaqt/+/refused', { qos: 1 })
  for (const i of [0, 0, 1]) await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
  for (const [topic, payload, path] of [
    ['BOX-1', published(2, { temperature: 900 }), 'temperature'],
    ['NOPE', published(2), 'box'],
    ['BOX-1', 'no reading', ''],
  ] as const) {
    const told = nextMessage(device)
    await publishAcknowledged(device, trackingOf(topic), payload)
    const message = await told
    assert.deepEqual([message.topic, message.said.refused[0]?.path], [refusedOf(topic), path])
  }
  await publishAcknowledged(device, trackingOf('BOX-1'), published(3))
  await until(() => handled(process_.ingestion) === 7)
  assert.deepEqual(process_.ingestion.counts, { accepted: 3, duplicate: 1, refused: 3 })
  assert.equal((await kindsOf(shop.deps.db, 'BOX-1')).filter((kind) => kind === 'tracking').length, 3)
})

test('Mosquitto: a reading that could not be stored is redelivered by the broker, and stored then', {
  skip: withoutMosquitto,
}, async () => {
  await using broker = await openMosquitto()
  await using shop = await shopWithBoxes(['BOX-1'])
  await using process_ = await follower(shop.deps, broker.url)
  await isUp(process_)
  const { db } = shop.deps
  await db.execute(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$`)
  await db.execute('create trigger refuse before insert on records for each row execute function refuse()')
  const device = await broker.device()
  const comesAgain = broker.says(/Sending PUBLISH to befaqt-\w+-s2/, 2) // BOX-1 is of the share 2
  await publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  await comesAgain
  assert.equal(process_.ingestion.counts.accepted, 0)
  await db.execute('drop trigger refuse on records')
  await until(() => process_.ingestion.counts.accepted === 1)
  assert.deepEqual(await kindsOf(db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
})

test('Mosquitto: nothing it acknowledged is lost or stored twice when it is restarted or killed, or the shop is away', {
  skip: withoutMosquitto,
}, async () => {
  await using broker = await openMosquitto()
  await using shop = await shopWithBoxes(['BOX-1'])
  const publish = async (from: number, to: number): Promise<void> => {
    const device = await broker.device()
    const numbers = Array.from({ length: to - from }, (_, i) => from + i)
    await Promise.all(numbers.map((i) => publishAcknowledged(device, trackingOf('BOX-1'), published(i))))
    device.end(true)
  }
  const first = await follower(shop.deps, broker.url)
  await isUp(first)
  await publish(0, 20)
  await broker.end('SIGTERM')
  await broker.start()
  await publish(20, 40)
  await first.end()
  await publish(40, 60)
  await broker.says(/Saving in-memory database/, 2) // it says so when it begins
  await broker.end('SIGKILL')
  await broker.start()
  await using second = await follower(shop.deps, broker.url)
  await publish(60, 80)
  const stored = async (): Promise<number> =>
    (await kindsOf(shop.deps.db, 'BOX-1')).filter((kind) => kind === 'tracking').length
  await until(async () => (await stored()) >= 80)
  await isUp(second)
  assert.equal(await stored(), 80)
})
