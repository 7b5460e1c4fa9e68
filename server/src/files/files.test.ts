import assert from 'node:assert/strict'
import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import pino from 'pino'
import sharp from 'sharp'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { picture, storePicture } from '#server/testing/files.ts'
import { testShop } from '#server/testing/shop.ts'
import { OBJECT_QUEUE } from './objects.ts'
import { rangeOf } from './routes.ts'
import { makeVariants, VARIANTS_QUEUE } from './store-image.ts'

test('an image is served as immutable under its hash, by ranges, and as narrower variants once they exist', async () => {
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

test('the file store’s health check leaves nothing behind, and reports when the folder cannot be written', async () => {
  await using shop = await testShop()
  const { files, config } = shop.deps
  await files.check()
  const folder = join(config.DATA_DIR, 'files')
  assert.deepEqual(await readdir(folder), [])
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await assert.rejects(files.check())
})

test('bytes that differ from what was stored are not served, and the log names the file', async () => {
  const lines: string[] = []
  const kept = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  await using shop = await testShop({ deps: { log: pino(kept) } })
  const { db, config } = shop.deps
  const sent = await picture()
  const { path } = await storePicture(shop.deps, sent)
  await makeVariants(shop.deps, path)
  const [file] = await db.select().from(files).where(eq(files.path, path))
  const [copy] = await db.select().from(fileVariants).where(eq(fileVariants.format, 'avif'))
  const onDisk = (key = ''): string => join(config.DATA_DIR, 'files', key)
  const narrow = `/api/file/${path}?w=${copy?.width}&f=avif`
  const changed = Buffer.from(sent.bytes).reverse()

  await truncate(onDisk(copy?.objectKey), 20)
  const stand = await shop.app.inject(narrow)
  assert.deepEqual(stand.rawPayload, Buffer.from(sent.bytes), 'the whole stands in for a damaged copy')
  assert.doesNotMatch(String(stand.headers['cache-control']), /immutable/)
  for (const damage of [
    () => truncate(onDisk(file?.objectKey), 100),
    () => writeFile(onDisk(file?.objectKey), changed),
    () => rm(onDisk(file?.objectKey)),
  ]) {
    await damage()
    for (const url of [`/api/file/${path}`, narrow, `/api/file/${path}`]) {
      const answer = await shop.app.inject(url)
      assert.equal(answer.statusCode, 404, answer.body)
      assert.equal(answer.headers['cache-control'], undefined)
    }
  }
  const told = lines.filter((line) => line.includes('a stored file is'))
  assert.equal(told.length, 2, 'once for each file, not for each request')
  for (const line of told) assert.ok(line.includes(path))

  await storePicture(shop.deps, sent)
  assert.equal((await shop.app.inject(`/api/file/${path}`)).statusCode, 200, 'sent again it is whole again')
})

test('a damaged or missing variant is made again once it was requested', async () => {
  await using shop = await testShop()
  const { db, config } = shop.deps
  const { path } = await storePicture(shop.deps, await picture())
  await makeVariants(shop.deps, path)
  const copies = () => db.select().from(fileVariants).orderBy(fileVariants.format, fileVariants.width)
  const before = await copies()
  const [damaged, missing] = before
  assert.ok(damaged && missing)
  const folder = join(config.DATA_DIR, 'files')
  await writeFile(join(folder, damaged.objectKey), 'something else')
  await rm(join(folder, missing.objectKey))
  await db.delete(jobs)

  const narrow = `/api/file/${path}?w=${damaged.width}&f=${damaged.format}`
  await shop.app.inject(narrow)
  const asked = await db.select().from(jobs)
  assert.deepEqual(
    asked.map(({ queue, payload }) => [queue, payload]),
    [[VARIANTS_QUEUE, { path }]],
  )
  await makeVariants(shop.deps, path)
  const again = await shop.app.inject(narrow)
  assert.equal(again.headers['content-type'], `image/${damaged.format}`)
  assert.equal((await sharp(again.rawPayload).metadata()).width, damaged.width)

  const after = await copies()
  const isNew = after.map(({ objectKey }, i) => objectKey !== before[i]?.objectKey)
  assert.deepEqual(
    isNew,
    [true, true, ...before.slice(2).map(() => false)],
    'the sound ones are as they were',
  )
  const removals = await db.select().from(jobs).where(eq(jobs.queue, OBJECT_QUEUE))
  const keys = [damaged.objectKey, missing.objectKey]
  assert.deepEqual(removals.map(({ payload }) => payload.key).sort(), keys.sort())
})

test('a URL that is not one of ours reaches no file', async () => {
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

test('ranges are parsed as RFC 9110 specifies', () => {
  assert.deepEqual(rangeOf('bytes=0-3', 10), { start: 0, end: 3 })
  assert.deepEqual(rangeOf('bytes=7-', 10), { start: 7, end: 9 })
  assert.deepEqual(rangeOf('bytes=-3', 10), { start: 7, end: 9 })
  assert.equal(rangeOf('bytes=10-', 10), 'beyond')
  assert.equal(rangeOf('bytes=-', 10), 'none')
  assert.equal(rangeOf('items=1-2', 10), 'none')
})
