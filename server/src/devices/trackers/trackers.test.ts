import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, keyFor, NOW, shopWithBoxes } from '#server/testing/readings.ts'

/** A message of Tive, some hours before now. */
const tive = (hoursAgo: number, more: object = {}) => ({
  EntityName: 'A571992',
  EntryTimeEpoch: NOW.getTime() - hoursAgo * HOUR_MS,
  Temperature: { Celsius: 1.4000000953674316 },
  Location: { Latitude: -33.5, Longitude: 151.5 },
  Battery: { Percentage: 81 },
  ...more,
})

const ago = (hours: number): string => new Date(NOW.getTime() - hours * HOUR_MS).toISOString()

for (const [name, open] of testDatabases)
  test(`${name}: a reading goes to the box that its device travelled with when it measured`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open })
    const { admin } = shop
    const key = await keyFor(shop, 'record:write')
    const send = async (payload: object) => {
      const headers = { tiveapikey: key }
      const answer = await shop.app.inject({ method: 'POST', url: '/api/tracking/tive', headers, payload })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    const trackers = async () => (await admin('GET', '/api/tracker')).json().rows
    const assign = (box: string | null, time: string, id = 'tive:A571992') =>
      admin('PUT', `/api/tracker/${id}/assignment`, { box, time })

    const [refused] = (await send(tive(1))).refused
    assert.match(refused.message, /travelled with no box/)
    const [unassigned] = await trackers()
    assert.deepEqual(
      [unassigned.id, unassigned.assigned, unassigned.last, unassigned.battery],
      ['tive:A571992', null, null, 81],
    )
    assert.match(unassigned.refusal, /travelled with no box/, 'it stays in sight')

    assert.equal((await assign('BOX-1', ago(6))).statusCode, 200)
    assert.equal((await assign('BOX-2', ago(3))).statusCode, 200)
    assert.equal((await assign(null, ago(1))).statusCode, 200)
    for (const hours of [5, 4, 2]) assert.equal((await send(tive(hours))).accepted, 1, `${hours} h`)
    assert.equal((await send(tive(5))).duplicates, 1)
    assert.equal((await send(tive(7))).refused.length, 1, 'before its first box')
    assert.equal((await send(tive(0.5))).refused.length, 1, 'taken off')
    const timesIn = async (box: string) =>
      (await historyOf(shop.deps.db, box)).filter(({ kind }) => kind === 'tracking').map(({ at }) => at)
    assert.deepEqual(await timesIn('BOX-1'), [ago(5), ago(4)])
    assert.deepEqual(await timesIn('BOX-2'), [ago(2)])
    const kept = (await historyOf(shop.deps.db, 'BOX-2')).find(({ kind }) => kind === 'tracking')
    assert.deepEqual(kept?.data, {
      iotID: 'A571992',
      time: ago(2),
      temperature: 1.4000000953674316,
      latitude: -33.5,
      longitude: 151.5,
      sent: 'key',
    })
    assert.deepEqual(
      (await send({ ...tive(4.5), Temperature: { Celsius: 300 } })).refused[0].path,
      'temperature',
    )
    assert.deepEqual((await send({ ...tive(4.5), EntryTimeEpoch: 'x' })).refused[0].path, 'EntryTimeEpoch')
    const [tracker] = await trackers()
    assert.deepEqual(
      [tracker.last, tracker.assigned],
      [
        { box: 'BOX-2', readingAt: ago(2), temperature: 1.4 },
        { box: null, from: ago(1) },
      ],
    )
    assert.equal((await assign('BOX-9', ago(1))).json().error.fields[0].path, 'box')
    assert.equal((await assign('BOX-1', ago(-1))).json().error.fields[0].path, 'time', 'not in the future')
    assert.equal((await assign('BOX-1', ago(1), 'tive:none')).statusCode, 404)
    assert.equal((await admin('GET', '/api/history?entity=device&id=tive:A571992')).json().total, 3)
  })

test('LoRaWAN: an uplink is stored by its device’s clock, other events are answered, limits of keys hold', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  const { admin } = shop
  const send = async (key: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const url = '/api/tracking/lorawan?event=up'
    const answer = await shop.app.inject({ method: 'POST', url, headers, payload })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const epoch = (NOW.getTime() / 1000 - 600).toString(16)
  const uplink = {
    deviceInfo: { devEui: 'A84041FFFF000001', deviceName: 'hold 2' },
    time: NOW.toISOString(),
    fPort: 2,
    data: Buffer.from(`08CD022000C801${epoch}`, 'hex').toString('base64'),
  }
  const [all, one] = [await keyFor(shop, 'record:write'), await keyFor(shop, 'record:write', ['BOX-2'])]
  await send(all, uplink)
  await admin('PUT', '/api/tracker/lorawan:a84041ffff000001/assignment', { box: 'BOX-1', time: ago(1) })
  assert.match((await send(one, uplink)).refused[0].message, /may not touch this box/)
  assert.equal((await send(all, uplink)).accepted, 1)
  assert.equal((await send(all, uplink)).duplicates, 1)
  const stored = (await historyOf(shop.deps.db, 'BOX-1')).find(({ kind }) => kind === 'tracking')
  assert.deepEqual([stored?.at, stored?.by], [ago(1 / 6), 'a84041ffff000001'])
  const { data: _, ...join } = uplink
  assert.deepEqual(await send(all, join), { accepted: 0, duplicates: 0, refused: [] })
  assert.match((await send(all, { ...uplink, fPort: 9 })).refused[0].message, /no temperature/)
  assert.equal((await send(all, { ...uplink, deviceInfo: 3 })).refused[0].path, 'deviceInfo')
})

test('who may not manage devices sees no trackers, and who may not write records sends none', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const user = await callerOf(shop, 'someone', 'USER')
  const keys = { device: await keyFor(shop, 'device:write'), record: await keyFor(shop, 'record:write') }
  const calls = [
    ['GET', '/api/tracker', 'device'],
    ['PUT', '/api/tracker/tive:x/assignment', 'device'],
    ['POST', '/api/tracking/tive', 'record'],
    ['POST', '/api/tracking/lorawan', 'record'],
  ] as const
  for (const [method, url, right] of calls) {
    const body = method === 'GET' ? {} : { payload: {} }
    const statusWith = async (key: string | null) => {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` }
      return (await shop.app.inject({ method, url, headers, ...body })).statusCode
    }
    assert.equal(await statusWith(null), 401, url)
    assert.equal((await user(method, url, {})).statusCode, 403, url)
    assert.equal(await statusWith(keys[right === 'device' ? 'record' : 'device']), 403, url)
    assert.ok([200, 400].includes(await statusWith(keys[right])), url)
  }
})
