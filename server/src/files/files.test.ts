import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { testShop } from '#server/testing.ts'
import { rangeOf } from './send-range.ts'
import { picture, storePicture } from './testing.ts'
import { makeVariants } from './variants.ts'

test('a picture is served for ever under its hash, in parts, and as narrower copies once they are made', async () => {
  await using shop = await testShop()
  const kept = await picture()
  const { bytes } = kept
  const { path } = await storePicture(shop.deps, kept)
  const whole = await shop.app.inject(`/api/file/${path}`)
  assert.equal(whole.headers['content-type'], 'image/webp')
  assert.match(String(whole.headers['cache-control']), /immutable/)
  assert.deepEqual(whole.rawPayload, bytes)
  const etag = String(whole.headers.etag)
  assert.equal(
    (await shop.app.inject({ url: `/api/file/${path}`, headers: { 'if-none-match': etag } })).statusCode,
    304,
  )
  const part = await shop.app.inject({ url: `/api/file/${path}`, headers: { range: 'bytes=4-7' } })
  assert.equal(part.statusCode, 206)
  assert.deepEqual(part.rawPayload, bytes.subarray(4, 8))

  const early = await shop.app.inject(`/api/file/${path}?w=240&f=avif`)
  assert.deepEqual(early.rawPayload, bytes, 'the whole stands in until the copy is made')
  assert.doesNotMatch(String(early.headers['cache-control']), /immutable/)
  await makeVariants(shop.deps, path)
  const narrow = await shop.app.inject(`/api/file/${path}?w=200&f=avif`)
  assert.equal(narrow.headers['content-type'], 'image/avif')
  assert.equal((await sharp(narrow.rawPayload).metadata()).width, 240)
})

test('the folder of files answers a check, leaves nothing of it behind, and says when it cannot be written', async () => {
  await using shop = await testShop()
  const { files, config } = shop.deps
  await files.check()
  const folder = join(config.DATA_DIR, 'files')
  assert.deepEqual(await readdir(folder), [])
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await assert.rejects(files.check())
})

test('an address that is not one of ours reaches no file', async () => {
  await using shop = await testShop()
  for (const path of [
    '..%2F..%2Fsecret.key',
    '../secret.key',
    '%2e%2e/secret.key',
    'variants/x',
    `${'a'.repeat(32)}.webp`,
    '',
  ])
    assert.equal((await shop.app.inject(`/api/file/${path}`)).statusCode, 404, path)
  const odd = await shop.app.inject(`/api/file/${'a'.repeat(32)}.webp?w=wide`)
  assert.equal(odd.statusCode, 400)
  assert.equal(odd.json().error.fields[0].path, 'w')
})

test('ranges as RFC 9110 has them', () => {
  assert.deepEqual(rangeOf('bytes=0-3', 10), { start: 0, end: 3 })
  assert.deepEqual(rangeOf('bytes=7-', 10), { start: 7, end: 9 })
  assert.deepEqual(rangeOf('bytes=-3', 10), { start: 7, end: 9 })
  assert.equal(rangeOf('bytes=10-', 10), 'beyond')
  assert.equal(rangeOf('bytes=-', 10), 'none')
  assert.equal(rangeOf('items=1-2', 10), 'none')
})
