import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categories } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { formOf, jpeg, picture, storedPaths, storePicture } from '#server/testing/files.ts'
import { openS3 } from '#server/testing/s3.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { removeUnreferenced, removeUnused } from './store-file.ts'
import { putImage, saveImage } from './store-image.ts'

const PLEASE_AGAIN = /^Files can’t be stored or read right now\. Please try again/

async function upload(admin: Caller, title: string, shade: number) {
  const form = await formOf([
    ['title', title],
    ['shelfPos', '1'],
    ['catImage', { bytes: await jpeg(shade), name: 'a.jpg' }],
  ])
  return admin('POST', '/api/category', form.payload, form.headers)
}

/** What else a shop does: none of it needs the file store. */
async function elsewhere({ app }: TestShop, admin: Caller): Promise<number[]> {
  const user = { fname: 'A', lname: 'B', email: 'a@example.org', phone: '0400 000 000' }
  const sent = { ...user, password: 'herring-and-ice', confirmPassword: 'herring-and-ice' }
  const answers = await Promise.all([
    app.inject('/healthz'),
    app.inject('/api/site'),
    admin('GET', '/api/category'),
    app.inject({ method: 'POST', url: '/api/user/signUp', payload: sent }),
  ])
  return answers.map(({ statusCode }) => statusCode)
}

for (const [name, open] of testDatabases)
  test(`${name}: while S3 hangs, uploads and images fail with a message and everything else works`, async () => {
    await using s3 = await openS3()
    await using shop = await testShop({ env: { FILES_URL: s3.url() }, open })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const first = await upload(admin, 'One', 10)
    assert.equal(first.statusCode, 201, first.body)
    const url = `/api/file/${first.json().imagePath}`
    s3.freeze()
    let waiting = 12
    const refused = Array.from({ length: waiting }, async (_, i) => {
      const answer = await (i < 11 ? upload(admin, `T${i}`, 20 + i) : shop.app.inject(url))
      waiting--
      return answer
    })
    assert.deepEqual(await elsewhere(shop, admin), [200, 200, 200, 201])
    assert.ok(waiting > 0, 'they were answered while uploads waited')
    for (const answer of await Promise.all(refused)) {
      assert.equal(answer.statusCode, 503, answer.body)
      assert.match(answer.json().error.message, PLEASE_AGAIN)
      assert.ok([undefined, 'no-store'].includes(answer.headers['cache-control']), 'no cache keeps it')
    }
    s3.thaw()
    const again = await upload(admin, 'T0', 20)
    assert.equal(again.statusCode, 201, again.body)
    assert.equal((await shop.app.inject(url)).statusCode, 200)
  })

test('while S3 is down uploads and images fail with a message and leave nothing half done; afterwards they work again', async () => {
  await using s3 = await openS3()
  await using shop = await testShop({ env: { FILES_URL: s3.url() } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const first = await upload(admin, 'One', 10)
  await s3.away()
  const url = `/api/file/${first.json().imagePath}`
  for (const answer of [await upload(admin, 'Two', 20), await shop.app.inject(url)]) {
    assert.equal(answer.statusCode, 503, answer.body)
    assert.match(answer.json().error.message, PLEASE_AGAIN)
    assert.equal(answer.headers['retry-after'], '30')
  }
  assert.equal(await shop.deps.db.$count(categories), 1)
  await s3.back()
  assert.equal((await upload(admin, 'Two', 20)).statusCode, 201)
  assert.equal((await shop.app.inject(url)).statusCode, 200)
})

for (const [name, open] of testDatabases)
  test(`${name}: an image uploaded again during its removal keeps its bytes, however late the removal is`, async () => {
    await using shop = await testShop({ open })
    const { deps } = shop
    const kept = await picture()
    const { path } = await storePicture(deps, kept)
    const [removing, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = {
      ...deps.files,
      remove: async (key: string) => {
        removing.resolve()
        await goOn.promise
        await deps.files.remove(key)
      },
    }
    await removeUnused(deps.db, path)
    const never = new AbortController().signal
    const jobs = runDueJobs(deps.db, fileJobs({ ...deps, files: slow }), deps.log, never)
    await removing.promise
    assert.equal((await storePicture(deps, kept)).path, path)
    goOn.resolve()
    await jobs
    const { rawPayload } = await shop.app.inject(`/api/file/${path}`)
    assert.deepEqual(rawPayload, Buffer.from(kept.bytes))
    assert.deepEqual(await storedPaths(shop), { onDisk: [path], inDatabase: [path] })
  })

test('an upload whose object was removed before its row was written is rejected, not stored without bytes', async () => {
  await using shop = await testShop()
  const { db, files, log } = shop.deps
  const put = await putImage({ db, files, log }, await picture())
  await removeUnreferenced(db, files, [put])
  await assert.rejects(
    db.transaction((tx) => saveImage(tx, put)),
    /took too long\. Please try again/,
  )
  assert.deepEqual(await storedPaths(shop), { onDisk: [], inDatabase: [] })
})
