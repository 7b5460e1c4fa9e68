import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listPasskeys,
  listSessions,
  readEmailChange,
  readProfile,
} from '@befaqt/domain/api/endpoints/account'
import {
  listFailedEmails,
  listKeys,
  listUsers,
  readAttention,
  readLedgerHealth,
  readShopHealth,
} from '@befaqt/domain/api/endpoints/manage'
import { listCategories, listProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import { listAllSlots, listOrders } from '@befaqt/domain/api/endpoints/managed-orders'
import { listOwnOrders, listOwnWaiting, listSlots, readOrder } from '@befaqt/domain/api/endpoints/orders'
import { sql } from 'drizzle-orm'
import { releaseBoxes } from '#server/anchoring/recover-ledger.ts'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { anonymous } from '#server/identity/principal.ts'
import { addBox } from '#server/testing/anchoring.ts'
import { callerOf } from '#server/testing/caller.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { testShop } from '#server/testing/shop.ts'
import { readsOf } from './page-reads.ts'

const calls = [
  '/api/user/all',
  '/api/category',
  '/api/product',
  '/api/product/p1/manage',
  '/api/manage/box',
  '/api/manage/box/BOX-1',
  '/api/history?entity=user',
  '/api/manage/attention',
  '/api/manage/mail',
  '/api/key',
  '/api/order/all',
  '/api/slot/all',
  '/api/chain/health',
  '/api/manage/health',
]

test('managers’ data is refused to everybody else, over HTTP and in server rendering', async () => {
  await using shop = await testShop()
  const anna = await callerOf(shop, 'anna', 'USER')
  for (const url of calls) {
    assert.equal((await shop.app.inject(url)).statusCode, 401, url)
    assert.equal((await anna('GET', url)).statusCode, 403, url)
  }
  const call = readsOf(shop.deps, anonymous)
  const reads = [
    readProfile,
    readEmailChange,
    listSessions,
    listPasskeys,
    readAttention,
    readLedgerHealth,
    readShopHealth,
    listKeys,
    listFailedEmails,
    listProducts,
    listUsers,
    listOwnOrders,
    listOwnWaiting,
    listOrders,
    listAllSlots,
  ]
  for (const endpoint of reads) await assert.rejects(call(endpoint), { code: 'auth.required' }, endpoint.url)
})

test('a page reads an order for its buyer and by its signed link, for nobody else', async () => {
  await using shop = await shopWithOrders()
  const { _id: id, link } = await shop.placed({ snapper: 1 })
  const key = new URL(link).searchParams.get('key') ?? ''
  const call = readsOf(shop.deps, anonymous)
  const read = (given?: string) =>
    call(readOrder, { params: { id }, query: { ...(given && { key: given }) } })
  assert.equal((await read(key))._id, id)
  for (const wrong of [undefined, `${key}x`, key.slice(1)])
    await assert.rejects(read(wrong), { code: 'order.not_found' })
  assert.equal((await call(listSlots, { query: { kind: 'pickup' } })).length, 1)
})

test('attention lists problems with links, and nothing that is fine', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  assert.deepEqual((await admin('GET', '/api/manage/attention')).json(), [])
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  const product = { categoryId: 'c', title: 'Snapper' }
  await shop.deps.db.insert(products).values([
    { ...product, id: 'gone', stock: 0 },
    { ...product, id: 'low', stock: 5 },
    { ...product, id: 'plenty', stock: 6, origin: 'Australia' },
    { ...product, id: 'off', stock: 0, status: 'INACTIVE' },
  ])
  await rows(
    shop.deps.db,
    sql`insert into jobs (queue, payload, failed_at, last_error, created_at) values
      ('mail.send', '{}', now(), 'no such address', now()),
      ('mail.send', '{}', null, 'no route', now() - interval '16 minutes'),
      ('mail.send', '{}', null, 'no route', now() - interval '14 minutes'),
      ('mail.send', '{}', null, null, now() - interval '1 hour')`,
  )
  const found = (await admin('GET', '/api/manage/attention')).json()
  assert.deepEqual(
    found.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
    [
      ['out-of-stock', 1],
      ['low-stock', 1],
      ['no-picture', 3],
      ['no-origin', 2],
      ['failed-mail', 2],
    ],
  )
  assert.deepEqual(found.at(-1), {
    kind: 'failed-mail',
    count: 2,
    words: '1 email could not be delivered, 1 email keeps failing and will be retried',
    href: '/manage/mail',
  })
  assert.ok(found.every(({ href }: { href: string }) => href.startsWith('/manage')))
})

test('boxes held back after a restored backup are listed until they are released', async () => {
  await using shop = await testShop()
  const { db } = shop.deps
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await addBox(db, 'BOX-1')
  await addBox(db, 'BOX-2')
  await db.update(boxes).set({ heldBack: true })
  assert.deepEqual((await admin('GET', '/api/manage/attention')).json(), [
    {
      kind: 'held-back',
      count: 2,
      words: '2 boxes may lack records since a backup was restored, and are not anchored',
      href: '/manage/box',
    },
  ])
  await releaseBoxes(db, undefined)
  assert.deepEqual((await admin('GET', '/api/manage/attention')).json(), [])
})

test('keys are listed with their creator; creating and revoking one is audited', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const made = (await admin('POST', '/api/key', { name: 'Buoy 7', rights: ['record:write'] })).json()
  const [listed] = (await admin('GET', '/api/key')).json()
  assert.deepEqual([listed.name, listed.madeBy, listed.key], ['Buoy 7', 'admin Sample', undefined])
  assert.equal((await admin('DELETE', `/api/key/${made.id}`)).statusCode, 200)
  assert.equal((await admin('DELETE', `/api/key/${made.id}`)).statusCode, 404)
  const history = (await admin('GET', `/api/history?entity=key&id=${made.id}`)).json().rows
  assert.deepEqual(
    history.map(({ who, action }: { who: string; action: string }) => [who, action]),
    [
      ['admin Sample', 'update'],
      ['admin Sample', 'create'],
    ],
  )
  assert.ok(!JSON.stringify(history).includes(made.key))
})

test('histories name a machine by the name of its key', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await callerOf(shop, 'anna', 'USER')
  const { key } = (await admin('POST', '/api/key', { name: 'Payroll', rights: ['user:write'] })).json()
  const payload = { fname: 'Anne' }
  const headers = { authorization: `Bearer ${key}` }
  await shop.app.inject({ method: 'PATCH', url: '/api/user/anna', payload, headers })
  const [change] = (await admin('GET', '/api/history?entity=user&id=anna')).json().rows
  assert.equal(change.who, 'machine key Payroll')
})

test('every category can be chosen for a product, even when they exceed a page of a list', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const many = Array.from({ length: 201 }, (_, i) => ({ id: `c${i}`, title: `C ${i}`, titleKey: `c${i}` }))
  await shop.deps.db.insert(categories).values(many.map((one) => ({ ...one, shelfPos: '1' })))
  const session = { fname: 'Mia', sessionId: 's', via: 'cookie' } as const
  const mia = { kind: 'user', userId: 'mia', role: 'ADMIN', rights: [], ...session } as const
  const call = readsOf(shop.deps, mia)
  assert.equal((await call(listCategories)).length, 201)
  const { rows: shown, total } = await call(listCategories, { query: { page: 2 } })
  assert.deepEqual([shown.length, total], [50, 201])
  const beyond = { query: { page: 1_000_001 } }
  await assert.rejects(call(listCategories, beyond), { code: 'input.invalid' }, 'asked as over HTTP')
  assert.equal((await admin('GET', '/api/category')).json().length, 201)
})

test('history and the health of the chain can be read', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await callerOf(shop, 'anna', 'USER')
  await admin('PATCH', '/api/user/anna', { fname: 'Anne' })
  const { rows: changes, total } = (await admin('GET', '/api/history?entity=user&id=anna')).json()
  assert.equal(total, 1)
  assert.equal(changes[0].who, 'admin Sample')
  assert.deepEqual([changes[0].before, changes[0].after], [{ fname: 'anna' }, { fname: 'Anne' }])
  assert.equal((await admin('GET', '/api/history?entity=fish')).statusCode, 400)
  const health = (await admin('GET', '/api/chain/health')).json()
  assert.deepEqual([health.reachable, health.pendingRecords, health.lastAnchorAt], [true, 0, null])
})
