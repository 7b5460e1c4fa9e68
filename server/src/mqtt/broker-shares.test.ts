import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { openPostgres } from '#server/db/postgres.ts'
import { records } from '#server/db/schema/boxes.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openMosquitto, withoutMosquitto } from '#server/testing/mosquitto.ts'
import { connectTo, publishAcknowledged, published, trackingOf } from '#server/testing/mqtt.ts'
import { follower } from '#server/testing/outside-broker.ts'
import { kindsOf, shopWithBoxes } from '#server/testing/readings.ts'
import { SHARES, shareOf, sharesOf } from './broker-shares.ts'
import { optionsOf, tryBroker } from './outside-client.ts'

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((again) => setTimeout(again, 20))
}

const skip = withoutPostgres || withoutMosquitto

test('each share is one member’s, and members have as many, whoever left before', () => {
  for (const members of [[0], [0, 1], [0, 2, 5], [1, 3, 7, 8, 9], Array.from({ length: 20 }, (_, i) => i)]) {
    const all = members.map((member) => sharesOf(member, members))
    assert.deepEqual(
      all.flat().toSorted((a, b) => a - b),
      Array.from({ length: SHARES }, (_, i) => i),
    )
    const counts = all.map(({ length }) => length)
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join())
  }
  assert.deepEqual(sharesOf(4, [0, 1]), [], 'who is not counted yet has none')
})

test('boxes have the same share everywhere, and shares about as many boxes', () => {
  assert.deepEqual(['BOX-1', 'STREAM-3', 'BF-2026-000042', ''].map(shareOf), [2, 1, 5, 1])
  const shares = Array.from({ length: 6_000 }, (_, i) => shareOf(`BF-2026-${String(i).padStart(6, '0')}`))
  const counts = Array.from({ length: SHARES }, (_, share) => shares.filter((own) => own === share).length)
  assert.ok(Math.min(...counts) > 900 && Math.max(...counts) < 1_100, counts.join())
})

test('Mosquitto: who comes gets a part of the shares, and who leaves gives them back with what waits in them', {
  skip,
}, async () => {
  await using broker = await openMosquitto()
  const database = await testPostgres()
  const boxes = Array.from({ length: 24 }, (_, i) => `BOX-${i}`)
  await using shop = await shopWithBoxes(boxes, { open: async () => database })
  const tracked = (): Promise<number> => shop.deps.db.$count(records, eq(records.kind, 'tracking'))
  const device = await broker.device()
  let last = 0
  const publish = async (): Promise<void> => {
    const i = last++
    await Promise.all(boxes.map((box) => publishAcknowledged(device, trackingOf(box), published(i))))
  }
  const isDivided = broker.says(/Received SUBSCRIBE from befaqt-/, SHARES + 1)
  await using first = await follower(shop.deps, broker.url)
  const has = (process: typeof first, shares: number) => () =>
    process.ingestion.broker.up && process.ingestion.broker.shares.up === shares
  await until(has(first, 6))
  await isDivided // before that the first session stores what is of others too
  const other = await openPostgres(database.url, () => undefined)
  await using _closed = { [Symbol.asyncDispose]: () => other.close() }
  await using second = await follower({ ...shop.deps, database: other, db: other.db }, broker.url)
  await until(has(second, 3))
  await until(has(first, 3))
  await publish()
  await until(async () => (await tracked()) === 24)
  const counts = [first, second].map(({ ingestion }) => ingestion.counts)
  assert.ok(
    counts.every(({ accepted }) => accepted > 0),
    'both take some',
  )
  assert.deepEqual(
    counts.map(({ duplicate, refused }) => [duplicate, refused]),
    [
      [0, 0],
      [0, 0],
    ],
    'what comes to a session of another share is passed over',
  )
  await first.end()
  await publish()
  await until(async () => (await tracked()) === 48)
  await until(has(second, 6))
  assert.equal(second.ingestion.counts.refused, 0)
  await publish()
  await until(async () => (await tracked()) === 72)
  await second.end()
})

test('Mosquitto: what waits in the session of the version before is taken, and it can go back', {
  skip,
}, async () => {
  await using broker = await openMosquitto()
  await using shop = await shopWithBoxes(['BOX-1'])
  const tracked = async (): Promise<number> =>
    (await kindsOf(shop.deps.db, 'BOX-1')).filter((kind) => kind === 'tracking').length
  const url = new URL(broker.url)
  const { clean, clientId = '' } = optionsOf(url, shop.deps.config.PUBLIC_URL, { share: 0, version: 4 })
  const before = await connectTo(Number(url.port), { clientId, clean: clean ?? true })
  await before.subscribeAsync('befaqt/+/tracking', { qos: 1 })
  await before.endAsync()
  const device = await broker.device()
  for (const i of [0, 1, 2]) await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
  const process = await follower(shop.deps, broker.url)
  await until(async () => (await tracked()) === 3)
  await process.end()
  await publishAcknowledged(device, trackingOf('BOX-1'), published(3))
  const got: string[] = []
  const back = await connectTo(Number(url.port), { clientId, clean: false })
  back.on('message', (_topic, payload) => got.push(String(payload)))
  for (const i of [4, 5]) await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
  await until(() => got.includes(published(5)))
  await back.endAsync()
})

test('Mosquitto: whoever asks is told that readings can be divided', { skip: withoutMosquitto }, async () => {
  await using broker = await openMosquitto()
  assert.equal(await tryBroker(new URL(broker.url), 4_000), 'shared')
})
