import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Signer } from '@befaqt/provenance/signed/signer'
import { testDatabases } from '#server/testing/database.ts'
import { nextMessage, openTestBroker, refusedOf, trackingOf } from '#server/testing/mqtt.ts'
import { historyOf, keyFor, kindsOf, NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import type { TestShop } from '#server/testing/shop.ts'
import { enrolled, hexOf, loggerMessage, phoneReading } from '#server/testing/signed-readings.ts'

const send = async (shop: TestShop, key: string, readings: unknown) => {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await shop.app.inject({
    method: 'POST',
    url: '/api/tracking',
    payload: { readings },
    headers,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** Readings are of the night before; devices of tests are registered now. */
const LATER = 84
const soon = (i: number) => LATER + i / 60

for (const [name, open] of testDatabases)
  test(`${name}: signed readings are stored once with what was signed; others are refused by name`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open, deps: { now: () => AFTERWARDS } })
    const key = await keyFor(shop, 'record:write')
    const [logger, phone] = [await enrolledEarly(shop), await enrolledEarly(shop, 'gateway')]
    const one = loggerMessage(logger, 5, soon(0))
    const two = phoneReading(phone, 9, soon(1))
    const batch = [{ cose: hexOf(one) }, two, readingAt(soon(2)), { ...two, temperature: 1 }, { cose: 'd2' }]
    const answer = await send(shop, key, batch)
    assert.deepEqual([answer.accepted, answer.duplicates], [3, 0])
    assert.deepEqual(
      answer.refused.map(({ index, path }: { index: number; path: string }) => [index, path]),
      [
        [3, 'signature'],
        [4, ''],
      ],
    )
    assert.deepEqual(await send(shop, key, batch.slice(0, 3)), { accepted: 0, duplicates: 3, refused: [] })
    const history = await historyOf(shop.deps.db, 'BOX-1')
    assert.deepEqual(
      history.map(({ kind }) => kind),
      ['registration', 'tracking', 'tracking', 'tracking', 'freshness'],
    )
    const mark = { form: 'cose', level: 'sensor', key: logger.id, bytes: hexOf(one), place: 0 }
    assert.deepEqual(history[1]?.data.signed, mark)
    assert.equal(history[3]?.data.sent, 'key')
    const refusals = await send(shop, key, [
      { cose: hexOf(loggerMessage(logger, 5, soon(3))) },
      { cose: hexOf(loggerMessage(logger, 6, soon(3), { box: 'BOX-9' })) },
      { cose: hexOf(loggerMessage(logger, 6, -200)) },
      { cose: hexOf(loggerMessage(logger, 6, 2_000)) },
      { cose: hexOf(loggerMessage(new Signer(), 6, soon(3))) },
      { ...phoneReading(phone, 10, soon(3)), key: logger.id },
      phoneReading(phone, 10, soon(3), { temperature: 300 }),
      { ...phoneReading(phone, 10, soon(3)), box: 'BOX-2' },
      { cose: `d2${'81'.repeat(4_000)}` },
    ])
    assert.equal(refusals.accepted, 0)
    assert.deepEqual(
      refusals.refused.map(({ path, message }: { path: string; message: string }) => [
        path,
        message.slice(0, 30),
      ]),
      [
        ['counter', 'was used before: this key has '],
        ['box', 'There is no such box.'],
        ['time', 'is before the key became valid'],
        ['time', 'must not be in the future'],
        ['key', 'No device with this key is reg'],
        ['signature', 'is not the signature of this k'],
        ['temperature', 'must be from -60 to 60'],
        ['signature', 'is not the signature of this k'],
        ['', 'is not CBOR in the accepted fo'],
      ],
    )
    const later = [{ cose: hexOf(loggerMessage(logger, 6, soon(4))) }, phoneReading(phone, 10, soon(5))]
    await shop.admin('POST', `/api/device/${logger.id}/revoke`, { reason: 'lost' })
    const { accepted, refused } = await send(shop, key, later)
    assert.deepEqual([accepted, refused], [1, [{ index: 0, path: 'key', message: 'This key was revoked.' }]])
    assert.deepEqual(await send(shop, key, batch.slice(0, 1)), { accepted: 0, duplicates: 1, refused: [] })
    const [phoneView] = (await shop.admin('GET', '/api/device')).json().rows
    assert.deepEqual(
      [phoneView.last.box, phoneView.last.temperature, phoneView.last.battery],
      ['BOX-1', 2, null],
    )
  })

const AFTERWARDS = new Date(NOW.getTime() + 600_000)

/** A device that was registered before the readings of these tests. */
const enrolledEarly = (shop: TestShop & { admin: Parameters<typeof enrolled>[0] }, level?: 'gateway') =>
  withClock(shop, NOW, () => enrolled(shop.admin, level))

async function withClock<Result>(
  { deps }: TestShop,
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  const { now: usual } = deps
  deps.now = () => now
  try {
    return await work()
  } finally {
    deps.now = usual
  }
}

for (const [name, open] of testDatabases)
  test(`${name}: counters come in any order, each once; a reading of yesterday only near the highest`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open, deps: { now: () => AFTERWARDS } })
    const key = await keyFor(shop, 'record:write')
    const [logger, phone] = [await enrolledEarly(shop), await enrolledEarly(shop, 'gateway')]
    const message = (counter: number, more = {}) => ({
      cose: hexOf(loggerMessage(logger, counter, soon(counter % 9), more)),
    })
    assert.equal(
      (await send(shop, key, [message(2_000), message(1_998), phoneReading(phone, 8, soon(0))])).accepted,
      3,
    )
    const late = [message(1_999), message(3), phoneReading(phone, 7, soon(1)), message(3, { box: 'BOX-2' })]
    assert.deepEqual(await send(shop, key, late), { accepted: 4, duplicates: 0, refused: [] })
    assert.deepEqual(await send(shop, key, late), { accepted: 0, duplicates: 4, refused: [] })
    const others = [1_998, 1_999, 2_000, 3].map((counter) => message(counter, { temperature: 9 }))
    const { accepted, refused } = await send(shop, key, [...others, phoneReading(phone, 7, soon(2))])
    assert.deepEqual(
      [accepted, refused.map(({ message }: { message: string }) => message.slice(0, 15))],
      [0, Array.from({ length: 5 }, () => 'was used before')],
    )
    const [, loggerView] = (await shop.admin('GET', '/api/device')).json().rows
    assert.equal(loggerView.last.readingAt, readingAt(soon(2_000 % 9)).time, 'what came late is not its last')
    shop.deps.now = () => new Date(AFTERWARDS.getTime() + 25 * 3_600_000)
    const yesterday = await send(shop, key, [
      message(999),
      message(1_000),
      { ...message(1_000, { temperature: 9 }) },
    ])
    assert.equal(yesterday.accepted, 1)
    assert.deepEqual(
      yesterday.refused.map(({ index, path, message }: { index: number; path: string; message: string }) => [
        index,
        path,
        message.slice(0, 21),
      ]),
      [
        [0, 'counter', 'must be at least 1000'],
        [2, 'counter', 'was used before: this'],
      ],
    )
  })

test('a statement of several readings is stored together, and only as a whole', async () => {
  await using shop = await shopWithBoxes(['BOX-1'], { deps: { now: () => AFTERWARDS } })
  const key = await keyFor(shop, 'record:write')
  const logger = await enrolledEarly(shop)
  const startS = NOW.getTime() / 1000
  const times = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ timeS: startS + i, temperature: 2 }))
  const statement = logger.logger({ box: 'BOX-1', counter: 1, readings: times(16) })
  assert.equal((await send(shop, key, [{ cose: hexOf(statement) }])).accepted, 16)
  assert.equal((await send(shop, key, [{ cose: hexOf(statement) }])).duplicates, 16)
  const ahead = logger.logger({
    box: 'BOX-1',
    counter: 2,
    readings: [...times(1), { timeS: startS + 90_000, temperature: 2 }],
  })
  const answer = await send(shop, key, [{ cose: hexOf(ahead) }])
  assert.deepEqual([answer.accepted, answer.refused[0].path], [0, 'time'])
  const flood = Array.from({ length: 64 }, (_, i) => ({
    cose: hexOf(logger.logger({ box: 'BOX-1', counter: 3 + i, readings: times(16) })),
  }))
  const some = await send(shop, key, flood)
  assert.deepEqual([some.accepted, some.refused.length], [992, 2])
  assert.match(some.refused[0].message, /more than 1000/)
})

test('the same signed facts by MQTT and by HTTP make the same records, and a revoked key ends on an open connection', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { deps: { now: () => AFTERWARDS } })
  await using broker = await openTestBroker(shop.deps)
  const key = await keyFor(shop, 'record:write')
  const [logger, phone] = [await enrolledEarly(shop), await enrolledEarly(shop, 'gateway')]
  const device = await broker.device(key)
  const topic = trackingOf('BOX-1')
  await device.publishAsync(topic, Buffer.from(loggerMessage(logger, 1, soon(0))), { qos: 1 })
  const { box: _, ...reading } = phoneReading(phone, 1, soon(1))
  await device.publishAsync(topic, JSON.stringify(reading), { qos: 1 })
  const more = { box: 'BOX-2' }
  await send(shop, key, [
    { cose: hexOf(loggerMessage(logger, 1, soon(0), more)) },
    phoneReading(phone, 1, soon(1), more),
  ])
  const factsOf = async (box: string) =>
    (await historyOf(shop.deps.db, box))
      .filter(({ kind }) => kind === 'tracking')
      .map(({ at, by, data: { signed: _signed, ...data } }) => ({ at, by, data }))
  assert.deepEqual(await factsOf('BOX-1'), await factsOf('BOX-2'))
  await device.subscribeAsync(refusedOf('BOX-1'), { qos: 1 })
  await shop.admin('POST', `/api/device/${logger.id}/revoke`, { reason: 'lost' })
  const told = nextMessage(device)
  await device.publishAsync(topic, Buffer.from(loggerMessage(logger, 2, soon(2))), { qos: 1 })
  assert.deepEqual((await told).said, { refused: [{ path: 'key', message: 'This key was revoked.' }] })
  const wrong = nextMessage(device)
  await device.publishAsync(topic, Buffer.from(loggerMessage(logger, 3, soon(2), more)), { qos: 1 })
  assert.equal((await wrong).said.refused[0]?.path, 'box')
  assert.deepEqual((await kindsOf(shop.deps.db, 'BOX-1')).filter((kind) => kind === 'tracking').length, 2)
})
