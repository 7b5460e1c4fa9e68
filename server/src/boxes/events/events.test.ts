import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { genesisHead, headAfter, parseRecord, recordHash, toHex } from '@befaqt/provenance'
import { openPostgres } from '#server/db/postgres.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { type TestDb, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { listenForTests, openStream, type StreamEvent } from '#server/testing/event-streams.ts'
import { historyOf, keyFor, NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { positionText, readPosition } from './news.ts'

async function sendReadings({ app }: TestShop, key: string, indexes: readonly number[]): Promise<void> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/tracking',
    headers: { authorization: `Bearer ${key}` },
    payload: { readings: indexes.map((i) => readingAt(i)) },
  })
  assert.equal(answer.json().accepted, indexes.length, answer.body)
}

async function anchorAll({ deps: { db, chain } }: TestShop): Promise<void> {
  const { pass } = anchoringWorld(db, chain, { now: () => NOW })
  while ((await pass()) !== 'idle');
}

const seqs = (events: readonly StreamEvent[]): number[] =>
  events.flatMap(({ event, data }) => (event === 'record' ? (JSON.parse(data).seq as number) : []))

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

test('positions are written and read as ids of events', () => {
  for (const position of [
    { seq: 0, anchor: -1 },
    { seq: 12, anchor: 4 },
  ])
    assert.deepEqual(readPosition(positionText(position)), position)
  for (const text of ['', '12', '12-', '-1-2', '12-4-', '12-4x', '1e3-1', `${'9'.repeat(10)}-1`])
    assert.equal(readPosition(text), undefined, text)
})

test('a follower hears each record and anchor of its box, and a reconnect neither misses nor doubles one', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  const stop = await shop.deps.events.start([shop.deps.boxEvents])
  const url = `${await listenForTests(shop)}/api/box/BOX-1/events`
  const key = await keyFor(shop, 'record:write')
  const first = await openStream(`${url}?after=0-none`)
  assert.equal(first.status, 200)
  assert.match(String(first.headers['content-type']), /^text\/event-stream/)
  assert.equal(first.headers['x-content-type-options'], 'nosniff')
  await sendReadings(shop, key, [0])
  const heard = await first.until(3)
  assert.deepEqual(
    heard.map(({ event, id }) => [event, id]),
    [
      ['record', '1-none'],
      ['record', '2-none'],
      ['record', '3-none'],
    ],
  )
  first.close()
  await sendReadings(shop, key, [1, 2])
  await anchorAll(shop)
  const again = await openStream(`${url}?after=0-none`, { 'last-event-id': '2-none' })
  await sendReadings(shop, key, [3])
  const missed = await again.until(7)
  assert.deepEqual(seqs(missed), [3, 4, 5, 6, 7, 8])
  const anchor = missed.find(({ event }) => event === 'anchor')
  assert.equal(JSON.parse(anchor?.data ?? '').leaf.count, 6)
  assert.deepEqual(
    missed.map(({ id }) => id),
    ['3-none', '4-none', '5-none', '6-none', '6-0', '7-0', '8-0'],
  )
  const live = await openStream(url)
  await anchorAll(shop)
  const [news] = await live.until(1)
  assert.deepEqual([news?.event, news?.id], ['anchor', '8-1'], 'without a position: from now on')
  let head = genesisHead('BOX-1')
  for (const { event, data } of [...heard.slice(0, 2), ...missed])
    if (event === 'record') head = headAfter(head, recordHash(parseRecord(JSON.parse(data))))
  assert.equal(
    toHex(head),
    JSON.parse(news?.data ?? '').leaf.head,
    'what was heard adds up to the anchored head',
  )
  await stop()
})

test('a position that is not near the box is a conflict, bad ones and unknown boxes are refused, HEAD opens nothing', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const ask = (path: string, method: 'GET' | 'HEAD' = 'GET') =>
    shop.app.inject({ method, url: `/api/box/${path}` })
  assert.equal((await ask('BOX-1/events?after=9-none')).statusCode, 409)
  assert.equal((await ask('BOX-1/events?after=x')).statusCode, 400)
  assert.equal((await ask('BOX-9/events')).statusCode, 404)
  assert.equal((await ask(`${encodeURIComponent('device:00')}/events`)).statusCode, 404)
  assert.equal((await ask('BOX-1/events', 'HEAD')).statusCode, 200)
  assert.equal(shop.deps.boxEvents.boxes, 0, 'nothing is followed after refusals')
})

test('500 pages of 50 networks follow one box; a network has a limit; streams end when the process stops', async () => {
  await using shop = await shopWithBoxes(['BOX-1'], { env: { TRUSTED_PROXIES: 'loopback' } })
  const stop = await shop.deps.events.start([shop.deps.boxEvents])
  const url = `${await listenForTests(shop)}/api/box/BOX-1/events`
  const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` })
  const streams = await Promise.all(Array.from({ length: 500 }, (_, i) => openStream(url, from(i % 50))))
  assert.ok(streams.every(({ status }) => status === 200))
  const key = await keyFor(shop, 'record:write')
  await sendReadings(shop, key, [0, 1])
  const heard = await Promise.all(streams.map((stream) => stream.until(3)))
  assert.ok(heard.every((events) => seqs(events).join() === '2,3,4'))
  const greedy = await Promise.all(Array.from({ length: 70 }, () => openStream(url, from(99))))
  assert.equal(greedy.filter(({ status }) => status === 429).length, 6)
  greedy[0]?.close()
  await greedy[0]?.ended()
  await stop()
  await shop.app.close()
  await Promise.all(streams.map(({ ended }) => ended()))
  assert.equal(shop.deps.boxEvents.boxes, 0, 'nobody is followed for nobody')
})

const another = async (url: string): Promise<TestDb> => {
  const database = await openPostgres(url, () => undefined)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

test('PostgreSQL: what one process records, followers of another hear, each once, while they come and go', {
  skip: withoutPostgres,
}, async () => {
  const database = await testPostgres()
  await using writer = await shopWithBoxes(['BOX-1'], { open: async () => database })
  await using reader = await testShop({ open: () => another(database.url) })
  const stop = await reader.deps.events.start([reader.deps.boxEvents])
  const url = `${await listenForTests(reader)}/api/box/BOX-1/events`
  const key = await keyFor(writer, 'record:write')
  const writing = (async () => {
    for (let i = 0; i < 20; i++) await sendReadings(writer, key, [i])
  })()
  const restless = async () => {
    const heard: StreamEvent[] = []
    while (heard.length < 41) {
      const stream = await openStream(`${url}?after=0-none`, {
        ...(heard.length > 0 && { 'last-event-id': heard.at(-1)?.id ?? '' }),
      })
      heard.push(...(await stream.until(Math.min(1 + Math.floor(Math.random() * 7), 41 - heard.length))))
      stream.close()
    }
    return heard
  }
  const all = await Promise.all(Array.from({ length: 8 }, restless))
  await writing
  for (const heard of all) assert.deepEqual(seqs(heard), upTo(41))
  assert.equal((await historyOf(writer.deps.db, 'BOX-1')).length, 41)
  await stop()
})

test('a catch that a manager adds is heard as proofs hold it', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  const stop = await shop.deps.events.start([shop.deps.boxEvents])
  const base = await listenForTests(shop)
  const { txHash: _, ...catchProv } = sampleBox().catchProv ?? { txHash: null }
  const stream = await openStream(`${base}/api/box/BOX-1/events?after=1-none`)
  const answer = await shop.admin('POST', '/api/box/BOX-1/catch', catchProv)
  assert.ok(answer.statusCode < 300, answer.body)
  const [news] = await stream.until(1)
  const { records } = (await shop.app.inject('/api/box/BOX-1/proof')).json()
  assert.deepEqual(JSON.parse(news?.data ?? ''), records[1])
  stream.close()
  await stop()
})
