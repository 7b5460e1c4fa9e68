import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFor, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import type { TestShop } from '#server/testing/shop.ts'
import { senderLimit } from './sender-limit.ts'

const key = (keyId: string) => ({ kind: 'key', keyId, rights: ['record:write'], boxes: null }) as const
const LIMITED = { code: 'rate.limited' }

test('a key may send a burst and then so many readings a second; small requests count as twenty; others are not touched', async () => {
  let now = 0
  const limit = senderLimit(() => now)
  const send = (readings: number, keyId = 'a') => limit(key(keyId), readings, async () => 'stored')
  for (let i = 0; i < 100; i++) assert.equal(await send(1_000), 'stored')
  await assert.rejects(send(1), LIMITED)
  await assert.rejects(send(1_000), { ...LIMITED, details: { retryAfterS: 1 } })
  assert.equal(await send(1_000, 'b'), 'stored')
  now += 249
  await assert.rejects(send(1_000), LIMITED)
  now += 1
  assert.equal(await send(1_000), 'stored', 'what was refused is not counted')
  now += 1_000
  for (let i = 0; i < 200; i++) assert.equal(await send(1), 'stored')
  await assert.rejects(send(1), LIMITED)
})

test('of batches that a key sends at once some are stored, some wait, others are refused; those of others begin at once', async () => {
  const limit = senderLimit()
  const held = Promise.withResolvers<void>()
  let begun = 0
  const send = (keyId: string) =>
    limit(key(keyId), 1, async () => {
      begun++
      if (keyId === 'a') await held.promise
    })
  const sent = Array.from({ length: 70 }, () => send('a'))
  const settled = Promise.allSettled(sent)
  await send('b')
  assert.equal(begun, 8 + 1)
  held.resolve()
  const refused = (await settled).filter(({ status }) => status === 'rejected')
  assert.deepEqual([refused.length, begun], [70 - 64, 64 + 1])
})

test('a key that floods gets 429 with Retry-After over HTTP, and another key of the same network is served', async (t) => {
  await using shop: TestShop = await shopWithBoxes(['BOX-1'])
  const send = async (key: string, readings: unknown[]) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/tracking',
      headers: { authorization: `Bearer ${key}` },
      payload: { readings },
    })
  const [flooding, other] = [await keyFor(shop, 'record:write'), await keyFor(shop, 'record:write')]
  const nonsense = Array.from({ length: 1_000 }, () => 0)
  const answers = []
  const began = Math.ceil(performance.now()) // sums of a fraction would round, and refuse one batch sooner
  const clock = t.mock.method(performance, 'now', () => began) // a busy machine may be slower than what a key may send
  for (let i = 0; i < 300 && answers.at(-1)?.statusCode !== 429; i++)
    answers.push(await send(flooding, nonsense))
  clock.mock.restore()
  assert.equal(answers.at(-1)?.statusCode, 429)
  assert.match(String(answers.at(-1)?.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal(answers.length, 101)
  assert.equal((await send(other, [readingAt(0)])).json().accepted, 1)
})
