import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import sharp from 'sharp'
import { rows } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import type { Deps } from '#server/deps.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { loadSample, loadSampleWhenPossible } from '#server/sample/load-sample.ts'
import { callerOf } from '#server/testing/caller.ts'
import { formOf, picture } from '#server/testing/files.ts'
import { openS3 } from '#server/testing/s3.ts'
import { testShop } from '#server/testing/shop.ts'
import { checkFileStore, openFileStore } from './file-store.ts'
import { contentName } from './objects.ts'

const log = pino({ level: 'silent' })

const runJobs = (deps: Deps): Promise<number> =>
  runDueJobs(deps.db, fileJobs(deps), log, new AbortController().signal)

/** Every kind of file store: how a shop is told of it, and what it holds. */
async function openStore(kind: 'disk' | 'S3') {
  const s3 = kind === 'S3' ? await openS3() : undefined
  const env: Record<string, string> = s3 === undefined ? {} : { FILES_URL: s3.url() }
  const shop = await testShop({ env })
  const keys = (): Promise<string[]> =>
    s3 === undefined ? readdir(join(shop.deps.config.DATA_DIR, 'files')).catch(() => []) : s3.keys()
  return {
    shop,
    keys,
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]()
      await s3?.[Symbol.asyncDispose]()
    },
  }
}

for (const kind of ['disk', 'S3'] as const) {
  test(`${kind}: an image is uploaded, served whole, by ranges and as variants, and removed without a trace`, async () => {
    await using store = await openStore(kind)
    const { app, deps } = store.shop
    const admin = await callerOf(store.shop, 'admin', 'ADMIN')
    const form = await formOf([
      ['title', 'Crab'],
      ['shelfPos', '1'],
      ['catImage', { bytes: (await picture()).bytes, name: 'a.webp' }],
    ])
    const made = await admin('POST', '/api/category', form.payload, form.headers)
    assert.equal(made.statusCode, 201, made.body)
    const url = `/api/file/${made.json().imagePath}`
    const whole = await app.inject(url)
    assert.equal(whole.statusCode, 200)
    assert.equal(url, `/api/file/${contentName(whole.rawPayload)}.webp`, 'it is named by what it holds')
    const part = await app.inject({ url, headers: { range: 'bytes=4-7' } })
    assert.deepEqual([part.statusCode, part.rawPayload], [206, whole.rawPayload.subarray(4, 8)])
    await runJobs(deps)
    const copy = await app.inject(`${url}?w=240&f=avif`)
    const { format, width } = await sharp(copy.rawPayload).metadata()
    assert.deepEqual([format, width], ['heif', 240])
    assert.equal((await store.keys()).length, 5, 'the picture, and two widths of two formats')
    const category = `/api/category/${made.json()._id}`
    await admin('PATCH', category, { status: 'DISABLED' })
    assert.equal((await admin('DELETE', category)).statusCode, 204)
    await runJobs(deps)
    assert.equal((await app.inject(url)).statusCode, 404)
    assert.deepEqual(await store.keys(), [])
    await deps.files.check()
    assert.equal(await deps.files.read('not-there.webp'), undefined)
    await deps.files.remove('not-there.webp')
  })

  test(`${kind}: the sample's files are stored, each named by a row, and no other`, async () => {
    await using store = await openStore(kind)
    const { deps } = store.shop
    await loadSample(deps)
    const named = await deps.db.select().from(files)
    assert.ok(named.length > 50)
    assert.deepEqual(await store.keys(), named.map(({ objectKey }) => objectKey).sort())
    for (const { path, objectKey } of named.slice(0, 5))
      assert.equal(path.slice(0, 32), contentName((await deps.files.read(objectKey)) ?? Buffer.alloc(0)))
    assert.deepEqual(await rows(deps.db, sql`select * from pending_objects`), [])
  })
}

/** A place where nobody answers, for the time of a test. */
async function nobody(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return `s3://pictures?endpoint=http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** What a start says of a store, and what it writes into the log. */
async function startWith(FILES_URL: string | undefined, DATA_DIR = '/nowhere'): Promise<string> {
  const config = { FILES_URL, DATA_DIR }
  let said = ''
  const kept = new Writable({
    write: (chunk, _encoding, done) => {
      said += String(chunk)
      done()
    },
  })
  const store = await openFileStore(config, log)
  return checkFileStore(store, config, pino(kept)).then(
    () => said,
    (error: Error) => error.message,
  )
}

test('a wrong bucket, wrong keys or an unwritable folder stops the start with its name; an unreachable store does not', async () => {
  await using s3 = await openS3()
  assert.equal(await startWith(s3.url()), '')
  const wrongBucket = await startWith(s3.url('elsewhere'))
  assert.match(
    wrongBucket,
    /^Wrong setting\. FILES_URL: the store refuses bucket elsewhere: .*does not exist/,
  )
  process.env.AWS_SECRET_ACCESS_KEY = 'another'
  assert.match(await startWith(s3.url()), /^Wrong setting\. FILES_URL: .*SignatureDoesNotMatch/)
  process.env.AWS_ACCESS_KEY_ID = 'unknown'
  assert.match(await startWith(s3.url()), /^Wrong setting\. FILES_URL: .*InvalidAccessKeyId/)
  assert.match(
    await startWith(undefined, '/dev/null'),
    /^Wrong setting\. DATA_DIR: files cannot be kept in \/dev\/null/,
  )
  assert.match(await startWith(await nobody()), /the file store is unavailable/)
})

test('sample data for an unreachable store is loaded once the store is reachable', async () => {
  await using s3 = await openS3()
  await s3.away()
  await using shop = await testShop({ env: { FILES_URL: s3.url() } })
  const end = await loadSampleWhenPossible(shop.deps, 50)
  assert.equal(await shop.deps.db.$count(files), 0)
  await s3.back()
  while ((await shop.deps.db.$count(files)) === 0) await new Promise(setImmediate)
  await end()
  assert.equal((await s3.keys()).length, await shop.deps.db.$count(files))
})
