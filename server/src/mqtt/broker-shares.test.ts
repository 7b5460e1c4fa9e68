import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgres } from '#server/db/postgres.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { openMosquitto, withoutMosquitto } from '#server/testing/mosquitto.ts'
import { connectTo, publishAcknowledged, published, trackingOf } from '#server/testing/mqtt.ts'
import { follower } from '#server/testing/outside-broker.ts'
import { kindsOf, shopWithBoxes } from '#server/testing/readings.ts'
import { SHARES, sharesOf } from './broker-shares.ts'
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

test('Mosquitto: who comes gets a part of the shares, and who leaves gives them back with what waits in them', {
  skip,
}, async () => {
  await using broker = await openMosquitto()
  const database = await testPostgres()
  await using shop = await shopWithBoxes(['BOX-1'], { open: async () => database })
  const tracked = async (): Promise<number> =>
    (await kindsOf(shop.deps.db, 'BOX-1')).filter((kind) => kind === 'tracking').length
  const device = await broker.device()
  let last = 0
  const publish = async (): Promise<void> => {
    const numbers = Array.from({ length: 24 }, () => last++)
    await Promise.all(numbers.map((i) => publishAcknowledged(device, trackingOf('BOX-1'), published(i))))
  }
  await using first = await follower(shop.deps, broker.url)
  const has = (process: typeof first, shares: number) => () =>
    process.ingestion.broker.up && process.ingestion.broker.shares.up === shares
  await until(has(first, 12))
  const other = await openPostgres(database.url, () => undefined)
  await using _closed = { [Symbol.asyncDispose]: () => other.close() }
  await using second = await follower({ ...shop.deps, database: other, db: other.db }, broker.url)
  await until(has(second, 6))
  await until(has(first, 6))
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
    'what the session of all readings brings too is passed over',
  )
  await first.end()
  await publish()
  await until(async () => (await tracked()) === 48)
  await until(has(second, 12))
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
  const { clean, clientId = '' } = optionsOf(url, shop.deps.config.PUBLIC_URL, { share: 'all', version: 4 })
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

test('Mosquitto: whoever asks is told that readings can be shared', { skip: withoutMosquitto }, async () => {
  await using broker = await openMosquitto()
  assert.equal(await tryBroker(new URL(broker.url), 4_000), 'shared')
})
