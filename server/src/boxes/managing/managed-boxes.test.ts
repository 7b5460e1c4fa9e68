import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoxID } from '@befaqt/domain/box-values'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { testShop } from '#server/testing/shop.ts'
import { countAlerted } from './box-alerts.ts'
import { listManagedBoxes } from './managed-boxes.ts'

const { fisher } = sampleBox()

test('a box is found among any number of ids with the same prefix; a key for another box cannot see it', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const alike = Array.from({ length: 250 }, (_, i) => ({ id: `BX-1${i}`, head: '' }))
  await shop.deps.db.insert(boxes).values([{ id: 'BX-1', head: '', updatedAt: new Date(0) }, ...alike])
  const found = (await admin('GET', '/api/manage/box/BX-1')).json()
  assert.deepEqual([found.boxID, found.stage, found.makers], ['BX-1', 'registered', {}])
  for (const gone of ['BX-2', 'BX', '..', 'a%20b', '%'])
    assert.ok([400, 404].includes((await admin('GET', `/api/manage/box/${gone}`)).statusCode), gone)
  const input = { name: 'boat', rights: ['box:write' as const], boxes: ['BX-1'] }
  const { key } = await createApiKey(shop.deps.db, input, 'test', shop.deps.now())
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await shop.app.inject({ url: '/api/manage/box/BX-1', headers })).statusCode, 200)
  assert.equal((await shop.app.inject({ url: '/api/manage/box/BX-10', headers })).statusCode, 403)
})

test('people who corrected, sealed or imported a box are named; those named in the box itself are not looked up', async () => {
  await using shop = await testShop({ deps: { now: () => new Date('2026-11-20T00:00:00Z') } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const makersOf = async (boxID: string) => (await admin('GET', `/api/manage/box/${boxID}`)).json().makers
  const posing = { boxID: 'BOX-1', fisher: { ...fisher, traderID: 'admin' } }
  await admin('POST', '/api/box/registration', posing)
  assert.deepEqual(await makersOf('BOX-1'), {}, 'a trader may be called what a manager’s account is called')
  const better = { seq: 1, reason: 'Misspelt', data: { ...posing.fisher, traderName: 'Sample Fisher' } }
  assert.equal((await admin('POST', '/api/box/BOX-1/correction', better)).statusCode, 201)
  assert.deepEqual(await makersOf('BOX-1'), { admin: 'admin Sample' })

  const input = { name: 'Market hall', rights: ['box:write' as const] }
  const { key, id } = await createApiKey(shop.deps.db, input, 'test', shop.deps.now())
  const headers = { authorization: `Bearer ${key}` }
  const payload = { ...sampleBox(), boxID: 'BOX-2' }
  await shop.app.inject({ method: 'POST', url: '/api/box', payload, headers })
  assert.deepEqual(await makersOf('BOX-2'), { [`key:${id}`]: 'machine key Market hall' })
})

test('a box may be called like any word used in our URLs but one, which is refused', async () => {
  await using shop = await testShop({ deps: { now: () => new Date('2026-11-20T00:00:00Z') } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const names = shop.app.routes
    .filter(({ url }) => /^\/api\/(manage\/)?box\//.test(url))
    .flatMap(({ url }) => url.split('/').slice(2))
    .filter((word) => BoxID.safeParse(word).success)
  assert.ok(names.includes('manage') && names.includes('registration') && names.includes('page'))
  for (const boxID of new Set([...names, 'all', 'active', 'events'])) {
    const registered = await admin('POST', '/api/box/registration', { boxID, fisher })
    assert.equal(registered.statusCode, 201, boxID)
    assert.equal((await shop.app.inject(`/api/box/${boxID}`)).json().boxID, boxID)
    assert.equal((await admin('GET', `/api/manage/box/${boxID}`)).json().boxID, boxID)
    const whole = { ...sampleBox(), boxID: `${boxID}.2` }
    assert.equal((await admin('POST', '/api/box', whole)).statusCode, 201, boxID)
  }
  const taken = await admin('POST', '/api/box/registration', { boxID: 'epcis', fisher })
  assert.deepEqual([taken.statusCode, taken.json().error.fields[0].path], [400, 'boxID'])
  const whole = { ...sampleBox(), boxID: 'Manage' }
  assert.equal((await admin('POST', '/api/box', whole)).statusCode, 201)
  assert.equal((await shop.app.inject('/api/box/Manage')).json().boxID, 'Manage')
  const list = (await admin('GET', '/api/manage/box?q=manage')).json()
  assert.deepEqual(list.rows.map((box: { boxID: string }) => box.boxID).includes('manage'), true)
})

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: boxes with alerts are counted without reading one, and the first page reads each once`, async () => {
    await using database = await open()
    const { db } = database
    await db.execute(sql`insert into boxes (id, head, species, trader, created_at, updated_at)
      select 'B' || i, '', 'Snapper', 'Others', now(), now() - i * interval '1 minute' from generate_series(1, 20000) i`)
    await db.execute(sql`insert into excursions (id, box_id, kind, since, created_at)
      select 'e' || i || k, 'B' || i, k, now(), now() from generate_series(7, 20000, 7) i, unnest(array['warm', 'silent']) k`)
    await db.execute(sql`vacuum analyze boxes, excursions`)
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      const counting = async () => assert.deepEqual(await countAlerted(tx), { total: 2_857, beyond: 0 })
      assert.equal((await rowsRead(tx, ['boxes'], counting)).boxes, 0)
      const listing = async () => {
        const { rows, total } = await listManagedBoxes(tx, { stage: 'alerts', size: 20 }, null)
        assert.deepEqual([rows[0]?.boxID, rows[0]?.excursions.length, total], ['B7', 2, 2_857])
      }
      const { boxes: read } = await rowsRead(tx, ['boxes'], listing)
      assert.ok(read <= 2_950, `${read}`)
    })
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: a page of boxes is read on the one connection of a search without a warning of its driver`, async () => {
    await using database = await open()
    await database.db.execute(sql`insert into boxes (id, head, species, trader, created_at, updated_at)
      values ('B1', '', 'Snapper', 'Others', now(), now())`)
    const warned: string[] = []
    const note = ({ message }: Error) => void warned.push(message)
    process.on('warning', note)
    await database.db.transaction((tx) => listManagedBoxes(tx, { size: 20 }, null))
    await new Promise(setImmediate) // a warning comes a tick later
    process.off('warning', note)
    assert.deepEqual(warned, [])
  })
