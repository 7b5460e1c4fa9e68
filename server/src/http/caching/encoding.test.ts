import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { acceptedEncoding, compressDynamic, compressStatic } from './encoding.ts'

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
