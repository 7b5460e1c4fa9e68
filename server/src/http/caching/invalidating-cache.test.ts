import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Doorkeeper, InvalidatingCache } from './invalidating-cache.ts'

test('concurrent callers share one call, and the value is cached until cleared', async () => {
  const cache = new InvalidatingCache<number>(10)
  let made = 0
  const make = async () => ++made
  assert.deepEqual(await Promise.all([cache.get('a', make), cache.get('a', make)]), [1, 1])
  assert.equal(await cache.get('a', make), 1)
  cache.clear()
  assert.equal(await cache.get('a', make), 2)
})

test('a value whose computation began before a change is not cached after it', async () => {
  const cache = new InvalidatingCache<string>(10)
  const slow = Promise.withResolvers<string>()
  const first = cache.get('a', () => slow.promise)
  cache.clear()
  const second = await cache.get('a', async () => 'new')
  slow.resolve('old')
  assert.equal(await first, 'old')
  assert.equal(second, 'new')
  assert.equal(await cache.get('a', async () => 'newest'), 'new')
})

test('a failure is not cached, and a full cache evicts the oldest entry', async () => {
  const cache = new InvalidatingCache<number>(2)
  await assert.rejects(cache.get('a', () => Promise.reject(new Error('no'))))
  assert.equal(await cache.get('a', async () => 1), 1)
  await cache.get('b', async () => 2)
  await cache.get('c', async () => 3)
  assert.equal(cache.size, 2)
  assert.equal(await cache.get('a', async () => 9), 9)
})

test('a value that should not be cached goes to its callers only', async () => {
  const cache = new InvalidatingCache<number>(2)
  const isWhole = (status: number) => status < 500
  assert.equal(await cache.get('a', async () => 503, isWhole), 503)
  assert.equal(await cache.get('a', async () => 200, isWhole), 200)
  assert.equal(await cache.get('a', async () => 404, isWhole), 200)
})

test('entries that are requested again stay, however many are requested once', async () => {
  const cache = new InvalidatingCache<string>(3)
  const made: string[] = []
  const ask = (key: string) =>
    cache.get(key, async () => {
      made.push(key)
      return key
    })
  for (const key of ['home', 'a', 'b', 'home', 'c', 'd', 'home', 'e', 'f', 'home']) await ask(key)
  assert.deepEqual(made, ['home', 'a', 'b', 'c', 'd', 'e', 'f'])
  assert.equal(cache.size, 3)
})

test('cached entries never exceed the capacity', async () => {
  const cache = new InvalidatingCache<string>(10, (value) => value.length)
  for (const key of ['a', 'b', 'c']) await cache.get(key, async () => key.repeat(4))
  assert.equal(cache.size, 2)
  assert.equal(await cache.get('a', async () => 'made again'), 'made again')
  assert.equal(cache.size, 1, 'ten alone fill it')
  await cache.get('huge', async () => 'x'.repeat(11))
  assert.equal(cache.size, 0)
  for (const key of ['d', 'e']) await cache.get(key, async () => key.repeat(5))
  assert.equal(cache.size, 2, 'what went is not counted any more')
  cache.clear()
  for (const key of ['f', 'g']) await cache.get(key, async () => key.repeat(5))
  assert.equal(cache.size, 2, 'nor what was cleared')
})

test('a second request is recognized, and frequent keys survive a flood of others', () => {
  const asked = new Doorkeeper(3)
  assert.deepEqual([asked.admit('home'), asked.admit('home')], [false, true])
  for (let i = 0; i < 20; i++) {
    assert.equal(asked.admit(`/?utm_source=${i}`), false)
    assert.equal(asked.admit('home'), true)
  }
  assert.equal(asked.admit('/?utm_source=0'), false, 'asked for too long ago')
})
