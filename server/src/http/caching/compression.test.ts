import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { acceptedEncoding, compressDynamic, compressResponses, compressStatic } from './compression.ts'

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

test('the best encoding that a client accepts is chosen, and none that it refuses', () => {
  for (const [header, kept, sentOnce = kept] of [
    ['gzip, deflate, br, zstd', 'br', 'zstd'],
    ['gzip, zstd', 'gzip', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['BR', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br ; q=0.000 , gzip', 'gzip'],
    ['br;q=1.0', 'br'],
    ['*', 'br', 'zstd'],
    ['br;q=0, zstd;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['brotli, x-gzip', undefined],
    ['br;q=much', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(acceptedEncoding(header, 'static'), kept, header)
    assert.equal(acceptedEncoding(header, 'dynamic'), sentOnce, header)
  }
})

test('compressed text decompresses to the original, and more effort makes it smaller', async () => {
  const undo = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
  for (const rows of [2_000, 20_000]) {
    const plain = Buffer.from(
      JSON.stringify(
        Array.from({ length: rows }, (_, i) => ({ id: i * 7919, name: `Fish ${i % 37}`, kg: i / 8 })),
      ),
    )
    const sent = { zstd: 0, br: 0, gzip: 0 }
    for (const encoding of ['zstd', 'br', 'gzip'] as const) {
      const packed = await compressDynamic(plain, encoding)
      assert.deepEqual(undo[encoding](packed), plain)
      assert.ok(packed.length < plain.length / 2, `${encoding} ${packed.length}`)
      sent[encoding] = packed.length
    }
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await compressStatic(plain, encoding)
      assert.deepEqual(undo[encoding](packed), plain)
      assert.ok(packed.length < sent[encoding], `${encoding} ${packed.length}`)
    }
  }
  const nothing = Buffer.alloc(0)
  for (const encoding of ['zstd', 'br', 'gzip'] as const)
    assert.deepEqual(undo[encoding](await compressDynamic(nothing, encoding)), nothing)
})
