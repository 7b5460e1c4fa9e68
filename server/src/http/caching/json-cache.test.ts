import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { JsonCache } from './json-cache.ts'

/** A server that answers each path from `JsonCache`, its query being the version, and says how often it made an answer. */
function answering(capacity = 1_000_000) {
  const app = Fastify()
  const kept = new JsonCache(capacity)
  let made = 0
  const make = async () => JSON.stringify({ made: ++made, fish: 'fish '.repeat(1_000) })
  app.get('/*', (request, reply) => {
    const [resource = '', version = ''] = request.url.split('?')
    return kept.send(request, reply, { resource, version }, make)
  })
  const ask = async (url: string, headers = {}) => app.inject({ url, headers })
  return { kept, ask, made: () => made, [Symbol.asyncDispose]: () => app.close() }
}

test('an answer is made for the first who asks, kept for the second and made no more after', async () => {
  await using server = answering()
  for (const made of [1, 2, 2, 2]) assert.equal((await server.ask('/a')).json().made, made)
  assert.equal((await server.ask('/b')).json().made, 3)
  server.kept.clear()
  assert.equal((await server.ask('/a')).json().made, 4)
})

test('a kept answer is sent compressed to who takes it so, with the same ETag', async () => {
  await using server = answering()
  const [, plain] = [await server.ask('/a'), await server.ask('/a')]
  const packed = await server.ask('/a', { 'accept-encoding': 'br' })
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body)
  assert.equal(packed.headers.etag, plain.headers.etag)
})

test('no more is kept than fits', async () => {
  await using server = answering(10_000)
  for (const url of ['/a', '/b', '/c']) for (let i = 0; i < 2; i++) await server.ask(url)
  const before = server.made()
  await server.ask('/c')
  assert.equal(server.made(), before, 'the newest is kept')
  await server.ask('/a')
  assert.equal(server.made(), before + 1, 'the oldest is not')
})

test('a newer version takes the place of the one before, which makes room for others', async () => {
  await using server = answering(12_000)
  for (const url of ['/a', '/b?1', '/b?2', '/b?3']) for (let i = 0; i < 2; i++) await server.ask(url)
  const before = server.made()
  for (const url of ['/b?3', '/a']) await server.ask(url)
  assert.equal(server.made(), before, 'both are there still')
  await server.ask('/b?2')
  assert.equal(server.made(), before + 1, 'the one before is not')
})
