import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedEncoding, compress } from './encoding.ts'

test('the best encoding that a client accepts is chosen, and none that it refuses', () => {
  for (const [header, want] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['BR', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br ; q=0.000 , gzip', 'gzip'],
    ['br;q=1.0', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['brotli, x-gzip', undefined],
    ['br;q=much', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(acceptedEncoding(header), want, header)
})

test('compressed text decompresses to the original, and more effort makes it smaller', async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => ({ id: i * 7919, name: `Fish ${i % 37}`, kg: i / 8 }))
  const plain = Buffer.from(JSON.stringify(rows))
  const undo = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const encoding of ['br', 'gzip'] as const) {
    const [sent, kept] = [
      await compress(plain, encoding, 'dynamic'),
      await compress(plain, encoding, 'static'),
    ]
    assert.deepEqual(undo[encoding](sent), plain)
    assert.deepEqual(undo[encoding](kept), plain)
    assert.ok(kept.length < sent.length && sent.length < plain.length / 2, `${kept.length} ${sent.length}`)
  }
})
