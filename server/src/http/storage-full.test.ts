import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '#server/db/embedded.ts'
import { categories } from '#server/db/schema/shop.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { formOf, jpeg } from '#server/testing/files.ts'
import { testShop } from '#server/testing/shop.ts'
import { smallDisk } from '#server/testing/small-disk.ts'

const WORDS = "The shop's disk is full. Nothing was saved."

const category = async (title: string) =>
  formOf([
    ['title', title],
    ['shelfPos', '1'],
    ['catImage', { bytes: await jpeg(), name: 'a.jpg' }],
  ])

test('a full disk gives 507 with a message, and the shop recovers when there is space again', async (t) => {
  const mounted = await smallDisk(200)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const { folder } = disk
  await using shop = await testShop({
    env: { DATA_DIR: join(folder, 'data') },
    open: async () => {
      const database = await openEmbedded(join(folder, 'data'))
      return { ...database, [Symbol.asyncDispose]: () => database.close() }
    },
  })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const send = async (title: string) => {
    const form = await category(title)
    return admin('POST', '/api/category', form.payload, form.headers)
  }
  assert.equal((await send('One')).statusCode, 201)
  await disk.fill()
  let refused = 0
  for (let i = 0; i < 200 && refused < 10; i++) {
    const answer = await send(`Full ${i}`)
    if (answer.statusCode === 201) continue
    assert.deepEqual(
      [answer.statusCode, answer.json().error],
      [507, { code: 'insufficient_storage', message: WORDS }],
    )
    refused++
  }
  assert.equal(refused, 10)
  assert.equal((await shop.app.inject('/healthz')).statusCode, 200)
  assert.equal((await shop.app.inject('/api/site')).statusCode, 200)
  await disk.empty()
  const after = await send('Two')
  assert.equal(after.statusCode, 201, after.body)
})

test('a full disk of PostgreSQL gives 507 with a message', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await testShop({ open: testPostgres })
  const { database, app, deps } = shop
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await database.db.execute(`
    create function full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await database.db.execute(
    'create trigger full_disk before insert on categories for each row execute function full_disk()',
  )
  const form = await category('One')
  const answer = await admin('POST', '/api/category', form.payload, form.headers)
  assert.deepEqual([answer.statusCode, answer.json().error.message], [507, WORDS])
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  assert.equal(await deps.db.$count(categories), 0)
})
