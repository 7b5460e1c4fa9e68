import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBoxPage } from '@befaqt/domain/api/endpoints/boxes'
import type { Box } from '@befaqt/domain/box'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { recordHash, toHex } from '@befaqt/provenance'
import { type ProofBundle, parseBundle } from '@befaqt/provenance/bundle'
import { sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { rows } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'
import { anonymous } from '#server/identity/principal.ts'
import { readsOf } from '#server/pages/page-reads.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const key = async ({ deps }: TestShop, right: 'box:write' | 'shop:write'): Promise<string> =>
  (await deps.db.transaction((tx) => createApiKey(tx, { name: right, rights: [right] }, 'test', deps.now())))
    .key

async function send(shop: TestShop, payload: unknown, bearer?: string) {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return shop.app.inject({
    method: 'POST',
    url: '/api/box',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: body,
  })
}

const countRecords = async ({ deps }: TestShop): Promise<number> =>
  (await rows<{ n: number }>(deps.db, sql`select count(*)::int as n from records`))[0]?.n ?? -1

/** Deploys the ledger and anchors what is there. */
async function anchor({ deps }: TestShop): Promise<void> {
  const { db, chain, now } = deps
  const { pass } = anchoringWorld(db, chain, { now })
  while ((await pass()) !== 'idle');
}

const withoutTx = (box: Box): unknown =>
  JSON.parse(JSON.stringify(box, (name, value) => (name === 'txHash' ? undefined : value)))

for (const [name, open] of testDatabases)
  test(`${name}: a whole Box is returned as imported; importing it again adds nothing; different content is rejected`, async () => {
    await using shop = await testShop({ open })
    const bearer = await key(shop, 'box:write')
    const box = sampleBox()
    assert.equal((await send(shop, box, bearer)).statusCode, 201)
    const records = await countRecords(shop)
    assert.equal((await send(shop, box, bearer)).statusCode, 200)
    const other = await send(shop, { ...box, fisher: { ...box.fisher, boat: 'Another' } }, bearer)
    assert.equal(other.statusCode, 409)
    assert.equal(other.json().error.code, 'box.differs')
    assert.equal(await countRecords(shop), records)
    const back = (await shop.app.inject(`/api/box/${box.boxID}`)).json()
    assert.deepEqual(withoutTx(back), withoutTx(box))
    assert.equal(back.catchProv.txHash, null, 'pending')
  })

test('a Box as the shop returns it can be imported again, pending or anchored', async () => {
  await using shop = await testShop()
  const bearer = await key(shop, 'box:write')
  const box = sampleBox()
  await send(shop, box, bearer)
  const records = await countRecords(shop)
  const answered = async () => (await shop.app.inject(`/api/box/${box.boxID}`)).json()
  assert.equal((await send(shop, await answered(), bearer)).statusCode, 200)
  await anchor(shop)
  const { catchProv, ...rest } = await answered()
  assert.match(catchProv.txHash, /^0x/)
  assert.equal((await send(shop, { ...rest, catchProv }, bearer)).statusCode, 200)
  const other = { ...rest, catchProv: { ...catchProv, txHash: '0xother' } }
  assert.equal((await send(shop, other, bearer)).statusCode, 409)
  assert.equal(await countRecords(shop), records)
})

test('two concurrent imports of the same Box create one', async () => {
  await using shop = await testShop()
  const bearer = await key(shop, 'box:write')
  const codes = await Promise.all(
    [1, 2, 3].map(async () => (await send(shop, sampleBox(), bearer)).statusCode),
  )
  assert.deepEqual(codes.toSorted(), [200, 200, 201])
})

test('once anchored, every record has a transaction and the bundle has the position of its leaf', async () => {
  await using shop = await testShop()
  const bearer = await key(shop, 'box:write')
  for (const id of ['BOX-1', 'BOX-2', 'BOX-3']) await send(shop, { ...sampleBox(), boxID: id }, bearer)
  await anchor(shop)
  const back = (await shop.app.inject('/api/box/BOX-2')).json()
  assert.match(back.catchProv.txHash, /^0x[0-9a-f]{64}$/)
  const proof = await shop.app.inject('/api/box/BOX-2/proof?download')
  assert.match(String(proof.headers['content-disposition']), /box-BOX-2\.proof\.json/)
  const bundle: ProofBundle = parseBundle(proof.json())
  assert.equal(bundle.anchors.length, 1)
  assert.equal(bundle.anchors[0]?.leaf.count, bundle.records.length)
  const page = (await shop.app.inject('/api/box/BOX-2/page')).json()
  const [first] = bundle.records
  assert.ok(first && !('withheld' in first))
  assert.equal(page.records[0].recordHash, toHex(recordHash(first)))
  assert.ok(page.records.every((record: { state: string }) => record.state === 'anchored'))
})

const wrong: [name: string, change: (box: Record<string, never>) => unknown, path: string][] = [
  [
    'latitude 200',
    (box) => ({ ...box, catchProv: { ...sampleBox().catchProv, latitude: 200 } }),
    'catchProv.latitude',
  ],
  ['an extra field', (box) => ({ ...box, colour: 'red' }), 'colour'],
  ['a missing field', ({ fisher, ...box }) => box, 'fisher'],
  [
    'text for a number',
    (box) => ({ ...box, catchProv: { ...sampleBox().catchProv, longitude: '151' } }),
    'catchProv.longitude',
  ],
  [
    'a time in the future',
    (box) => ({ ...box, catchProv: { ...sampleBox().catchProv, time: '2999-01-01 00:00:00' } }),
    'catchProv.time',
  ],
  [
    'a hot reading',
    (box) => ({
      ...box,
      iotResult: {
        ...sampleBox().iotResult,
        iotTracking: [{ ...sampleBox().iotResult?.iotTracking[0], temperature: 900 }],
      },
    }),
    'iotResult.iotTracking[0].temperature',
  ],
  [
    '50,000 readings',
    (box) => ({ ...box, iotResult: { ...sampleBox().iotResult, iotTracking: Array(50_000).fill(0) } }),
    'iotResult.iotTracking',
  ],
]

test('bad Boxes are refused with the path of every bad field, and nothing is stored', async () => {
  await using shop = await testShop()
  const bearer = await key(shop, 'box:write')
  for (const [what, change, path] of wrong) {
    const answer = await send(shop, change(JSON.parse(JSON.stringify(sampleBox()))), bearer)
    assert.equal(answer.statusCode, 400, what)
    assert.ok(
      answer.json().error.fields.some((field: { path: string }) => field.path === path),
      `${what}: ${answer.body}`,
    )
  }
  for (const text of [
    '{"boxID":NaN}',
    '{"boxID":"a","boxID":"b"}',
    '{"__proto__":{}}',
    '[',
    '{"a":1e999}',
    '',
  ])
    assert.equal((await send(shop, text, bearer)).statusCode, 400, text)
  const huge = JSON.stringify({ ...sampleBox(), colour: 'x'.repeat(10 * 1024 * 1024) })
  assert.equal((await send(shop, huge, bearer)).statusCode, 413)
  assert.equal(await countRecords(shop), 0)
})

test('only ADMIN or a key with box:write may import', async () => {
  await using shop = await testShop()
  assert.equal((await send(shop, sampleBox())).statusCode, 401)
  assert.equal((await send(shop, sampleBox(), await key(shop, 'shop:write'))).statusCode, 403)
  assert.equal(await countRecords(shop), 0)
})

test('lists are paged and searched; invalid pages and unknown boxes are rejected', async () => {
  await using shop = await testShop()
  const bearer = await key(shop, 'box:write')
  for (let i = 1; i <= 5; i++) await send(shop, { ...sampleBox(), boxID: `BOX-${i}` }, bearer)
  const list = (await shop.app.inject('/api/box?size=2&page=2')).json()
  assert.deepEqual([list.rows.length, list.total, list.page, list.size], [2, 5, 2, 2])
  assert.equal((await shop.app.inject('/api/box?q=box-3')).json().total, 1)
  for (const nothing of ['%25', '%5C'])
    assert.equal((await shop.app.inject(`/api/box?q=${nothing}`)).json().total, 0, nothing)
  for (const odd of ['page=0', 'page=x', 'size=1000', 'page=1.5'])
    assert.equal((await shop.app.inject(`/api/box?${odd}`)).statusCode, 400, odd)
  for (const id of ['nope', '..%2F', 'a%20b', 'x'.repeat(300)])
    for (const part of ['', '/proof', '/page'])
      assert.equal((await shop.app.inject(`/api/box/${id}${part}`)).statusCode, 404, id + part)
  await assert.rejects(readsOf(shop.deps, anonymous)(readBoxPage, { params: { boxID: 'a\0b' } }), {
    code: 'box.not_found',
  })
})

for (const [name, open] of testDatabases)
  test(`${name}: the list says how fresh a box is and shows a product of it, and nothing of what is off sale or recalled`, async () => {
    await using shop = await testShop({ open })
    const { deps } = shop
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const box = sampleBox()
    assert.equal((await send(shop, box, await key(shop, 'box:write'))).statusCode, 201)
    const row = async () => (await shop.app.inject('/api/box')).json().rows[0]
    const first = await row()
    assert.deepEqual(
      [first.boxID, first.box.boxID, first.image, first.recalled, first.offSale],
      [box.boxID, box.boxID, null, false, false],
    )
    await deps.db.insert(categories).values({ id: 'c', title: 'C', titleKey: 'c', shelfPos: '1' })
    await deps.db.insert(products).values({ id: 'p', title: 'Fish', categoryId: 'c', priceCents: 100 })
    await deps.db.insert(productBoxes).values({ productId: 'p', boxId: box.boxID, unit: 'kg' })
    const file = { mediaType: 'image/webp', bytes: 1, width: 3, height: 2 }
    await deps.db.insert(files).values({ ...file, path: 'p.webp', objectKey: 'p' })
    await deps.db.insert(productImages).values({ productId: 'p', position: 0, path: 'p.webp', alt: 'a fish' })
    deps.catalogue.clear()
    assert.equal((await row()).image.path, 'p.webp')
    await deps.db.insert(products).values({ id: 'z', title: 'Z fish', categoryId: 'c', priceCents: 100 })
    await deps.db.insert(files).values({ ...file, path: 'z.webp', objectKey: 'z' })
    await deps.db.insert(productImages).values({ productId: 'z', position: 0, path: 'z.webp', alt: 'a fish' })
    await deps.db.insert(productBoxes).values({ productId: 'z', boxId: box.boxID, unit: 'kg' })
    deps.catalogue.clear()
    const page = (await shop.app.inject(`/api/box/${box.boxID}/page`)).json()
    assert.deepEqual((await row()).image, page.speciesImage, 'the one that its page shows')
    const said = async () => {
      const { recalled, offSale, box: freshness } = await row()
      return [recalled, offSale, freshness !== null]
    }
    await admin('PUT', `/api/box/${box.boxID}/sale`, { offSale: true, reason: 'Too warm' })
    assert.deepEqual(await said(), [false, true, false])
    await admin('PUT', `/api/box/${box.boxID}/sale`, { offSale: false })
    assert.deepEqual(await said(), [false, false, true])
    await admin('POST', `/api/box/${box.boxID}/recall`, { reason: 'Too warm' })
    assert.deepEqual(await said(), [true, false, false])
    await admin('POST', `/api/box/${box.boxID}/recall/withdrawal`, { reason: 'The wrong box' })
    assert.deepEqual(await said(), [false, false, true])
  })
