import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { compressResponses } from './compress-responses.ts'

const long = 'Mulloway, kingfish and bream. '.repeat(100)

/** A server with one answer of each kind. */
function answers() {
  const app = Fastify()
  compressResponses(app)
  app.get('/json', () => ({ long }))
  app.get('/html', (_, reply) => reply.header('vary', 'cookie').type('text/html; charset=utf-8').send(long))
  app.get('/linked', (_, reply) => reply.type('application/ld+json').send(JSON.stringify({ long })))
  app.get('/drawing', (_, reply) => reply.type('image/svg+xml').send(Buffer.from(long)))
  app.get('/short', () => ({ short: 'bream' }))
  app.get('/picture', (_, reply) => reply.type('image/webp').send(Buffer.from(long)))
  app.get('/part', (_, reply) => reply.code(206).type('text/plain').send(long))
  app.get('/packed', (_, reply) => reply.header('content-encoding', 'gzip').type('text/plain').send(long))
  app.get('/stream', (_, reply) => reply.type('text/plain').send(Readable.from([long])))
  return { app, [Symbol.asyncDispose]: () => app.close() }
}

test('text is sent complete in an encoding that the client accepts', async () => {
  await using server = answers()
  for (const url of ['/json', '/html', '/linked', '/drawing']) {
    const plain = await server.app.inject({ url })
    assert.equal(plain.headers['content-encoding'], undefined, url)
    for (const [takes, encoding, undo] of [
      ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const sent = await server.app.inject({ url, headers: { 'accept-encoding': takes } })
      assert.equal(sent.headers['content-encoding'], encoding, url)
      assert.equal(sent.headers['content-length'], String(sent.rawPayload.length), url)
      assert.ok(sent.rawPayload.length < plain.rawPayload.length / 5, url)
      assert.deepEqual(undo(sent.rawPayload), plain.rawPayload, url)
    }
  }
})

test('responses vary by Accept-Encoding, also uncompressed ones', async () => {
  await using server = answers()
  assert.equal((await server.app.inject('/json')).headers.vary, 'accept-encoding')
  assert.equal((await server.app.inject('/html')).headers.vary, 'cookie, accept-encoding')
})

test('short responses, images, ranges, streams and compressed files are sent as they are', async () => {
  await using server = answers()
  for (const url of ['/short', '/picture', '/part', '/stream', '/packed']) {
    const plain = await server.app.inject({ url })
    const sent = await server.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    assert.deepEqual(sent.rawPayload, plain.rawPayload, url)
    assert.equal(sent.headers['content-encoding'], plain.headers['content-encoding'], url)
  }
})
