import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FreshCache } from './fresh-cache.ts'

test('askers at once share one making, and the value is kept until cleared', async () => {
  const cache = new FreshCache<number>(10)
  let made = 0
  const make = async () => ++made
  assert.deepEqual(await Promise.all([cache.get('a', make), cache.get('a', make)]), [1, 1])
  assert.equal(await cache.get('a', make), 1)
  cache.clear()
  assert.equal(await cache.get('a', make), 2)
})

test('a value begun before a change is not kept after it', async () => {
  const cache = new FreshCache<string>(10)
  const slow = Promise.withResolvers<string>()
  const first = cache.get('a', () => slow.promise)
  cache.clear()
  const second = await cache.get('a', async () => 'new')
  slow.resolve('old')
  assert.equal(await first, 'old')
  assert.equal(second, 'new')
  assert.equal(await cache.get('a', async () => 'newest'), 'new')
})

test('a failure is not kept, and the oldest entry leaves a full cache', async () => {
  const cache = new FreshCache<number>(2)
  await assert.rejects(cache.get('a', () => Promise.reject(new Error('no'))))
  assert.equal(await cache.get('a', async () => 1), 1)
  await cache.get('b', async () => 2)
  await cache.get('c', async () => 3)
  assert.equal(cache.size, 2)
  assert.equal(await cache.get('a', async () => 9), 9)
})

test('a value that is not worth keeping goes to its asker only', async () => {
  const cache = new FreshCache<number>(2)
  const isWhole = (status: number) => status < 500
  assert.equal(await cache.get('a', async () => 503, isWhole), 503)
  assert.equal(await cache.get('a', async () => 200, isWhole), 200)
  assert.equal(await cache.get('a', async () => 404, isWhole), 200)
})
