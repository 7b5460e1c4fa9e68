import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import {
  connectTo,
  cutOff,
  nextMessage,
  openTestBroker,
  publishAcknowledged,
  published,
  refusedOf,
  trackingOf,
} from '#server/testing/mqtt.ts'
import { historyOf, keyFor, kindsOf, lockAllBoxes, shopWithBoxes } from '#server/testing/readings.ts'
import { packetHeads } from './embedded-broker.ts'

for (const [name, open] of testDatabases)
  test(`${name}: what is acknowledged is stored, once, and rejections are published on the topic of the box`, async () => {
    await using shop = await shopWithBoxes(['BOX-1'], { open })
    await using broker = await openTestBroker(shop.deps)
    const device = await broker.device(await keyFor(shop, 'record:write'))
    await device.subscribeAsync(refusedOf('BOX-1'), { qos: 1 })
    for (const i of [0, 1, 0]) await publishAcknowledged(device, trackingOf('BOX-1'), published(i))
    const history = await historyOf(shop.deps.db, 'BOX-1')
    assert.deepEqual(
      history.map(({ kind }) => kind),
      ['registration', 'tracking', 'freshness', 'tracking', 'freshness'],
    )
    const named = { iotID: 'L-1', time: JSON.parse(published(2)).time }
    const refusals: [payload: string, path: string, words: RegExp, named: object][] = [
      [
        published(2, { latitude: 200, id: 'r-2' }),
        'latitude',
        /^must be from -90 to 90$/,
        { id: 'r-2', ...named },
      ],
      [JSON.stringify({ ...JSON.parse(published(2)), box: 'BOX-1' }), 'box', /^is not a known field$/, named],
      ['{"temperature":NaN}', '', /^is not readable as JSON: /, {}],
      ['', '', /^is not readable as JSON: /, {}],
      ['[]', '', /^must be an object$/, {}],
    ]
    for (const [payload, path, words, named] of refusals) {
      const told = nextMessage(device)
      await publishAcknowledged(device, trackingOf('BOX-1'), payload)
      const { topic, said } = await told
      assert.equal(topic, refusedOf('BOX-1'))
      const { refused, ...rest } = said
      assert.deepEqual([rest, refused.map((one) => one.path)], [named, [path]])
      assert.match(refused[0]?.message ?? '', words)
    }
    assert.equal((await historyOf(shop.deps.db, 'BOX-1')).length, history.length)
    assert.deepEqual(shop.deps.ingestion.counts, { accepted: 2, duplicate: 1, refused: refusals.length })
  })

test('bytes that are not text and oversized readings are rejected', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const device = await broker.device(key)
  await device.subscribeAsync(refusedOf('BOX-1'), { qos: 1 })
  const told = nextMessage(device)
  await device.publishAsync(trackingOf('BOX-1'), Buffer.from([0xff, 0xfe]), { qos: 1 })
  assert.match((await told).said.refused[0]?.message ?? '', /not UTF-8/)
  const cut = cutOff(device)
  device.publish(trackingOf('BOX-1'), 'x'.repeat(10_000_000), { qos: 1 })
  await cut
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration'])
})

test('a packet that announces a large size is not read, whoever sends it', async () => {
  await using shop = await shopWithBoxes([])
  await using broker = await openTestBroker(shop.deps)
  const socket = connectSocket(broker.port, '127.0.0.1')
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  socket.on('error', () => undefined).write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])) // CONNECT of 256 MB
  await closed
})

test('nothing is acknowledged before its transaction has ended', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const [device, other] = [await broker.device(key), await broker.device(key)]
  const unlock = await lockAllBoxes(shop.deps.db)
  let acknowledged = false
  const sent = publishAcknowledged(device, trackingOf('BOX-1'), published(0)).then(() => {
    acknowledged = true
  })
  for (let i = 0; i < 20; i++) await other.unsubscribeAsync(refusedOf('BOX-1')) // twenty times there and back
  assert.equal(acknowledged, false)
  await unlock()
  await sent
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
})

test('a reading that cannot be stored is not acknowledged, and is accepted when resent', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const device = await broker.device(await keyFor(shop, 'record:write'), { reconnectPeriod: 50 })
  await rows(shop.deps.db, sql`alter table records rename to elsewhere`)
  const cut = cutOff(device)
  let acknowledged = false
  const sent = publishAcknowledged(device, trackingOf('BOX-1'), published(0)).then(() => {
    acknowledged = true
  })
  await cut
  assert.equal(acknowledged, false)
  await rows(shop.deps.db, sql`alter table elsewhere rename to records`)
  await sent
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration', 'tracking', 'freshness'])
})

test('readings of many devices at once are stored in few transactions', async () => {
  const ids = Array.from({ length: 5 }, (_, i) => `BOX-${i}`)
  await using shop = await shopWithBoxes(ids)
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const devices = await Promise.all(ids.map(() => broker.device(key)))
  const sent = ids.flatMap((id, i) =>
    Array.from({ length: 40 }, (_, n) => devices[i]?.publishAsync(trackingOf(id), published(n), { qos: 1 })),
  )
  await Promise.all(sent)
  for (const id of ids) {
    const kinds = await kindsOf(shop.deps.db, id)
    assert.equal(kinds.filter((kind) => kind === 'tracking').length, 40)
    assert.ok(kinds.filter((kind) => kind === 'freshness').length <= 20, kinds.join())
  }
})

test('the broker stops after finishing what it began: what is stored was acknowledged or is resent', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  await using broker = await openTestBroker(shop.deps)
  const device = await broker.device(await keyFor(shop, 'record:write'))
  const sent = publishAcknowledged(device, trackingOf('BOX-1'), published(0))
  const stored = async () => (await shop.deps.db.$count(records, eq(records.kind, 'tracking'))) > 0
  while (!(await stored())) await new Promise(setImmediate)
  const cut = cutOff(device)
  await broker.stop()
  await Promise.all([sent, cut])
  assert.equal(shop.deps.ingestion.broker.up, false)
  await assert.rejects(connectTo(broker.port, {}), /ECONNREFUSED|connection closed/i)
})

const MOST = 300

/** A packet with a body of `length` bytes. Source: MQTT 3.1.1 §2.2. */
function packet(length: number): Buffer {
  const head = [0x30]
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    head.push(rest < 128 ? rest : (rest % 128) + 128)
    if (rest < 128) return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 0xff)])
  }
}

test('packets up to the limit pass however they are split, and a larger one is detected by its header', () => {
  const lengths = fc.array(fc.nat(MOST), { maxLength: 12 })
  const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: MOST + 1, max: 70_000 }), cuts, (good, long, sizes) => {
      const passes = packetHeads(MOST)
      const bytes = Buffer.concat([...good.map(packet), packet(long).subarray(0, 4)])
      const verdicts: boolean[] = []
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % sizes.length] ?? 1
        verdicts.push(passes(bytes.subarray(at, at + size)))
        at += size
        if (at < bytes.length - 4) assert.equal(verdicts.at(-1), true)
      }
      assert.ok(verdicts.includes(false))
    }),
  )
})

test('a packet length of more than four bytes is invalid', () => {
  assert.equal(packetHeads(MOST)(Buffer.from([0x30, 0x80, 0x80, 0x80])), true)
  assert.equal(packetHeads(MOST)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80])), false)
})
