import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SiteInput } from '@befaqt/domain/site-settings'
import { EventFeed } from '#server/db/event-feed.ts'
import { endAll } from '#server/db/retention.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { sellerOf } from '#server/orders/order-views.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { amendedAs, ordered, seen } from '#server/testing/amending.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { address, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { siteRetention } from './retention.ts'
import { SiteSettings } from './settings.ts'

const seller = {
  part: 'seller',
  name: 'Fish & Sons',
  abn: '51 824 753 556',
  address: '1 Bank St, Pyrmont NSW 2009',
  email: 'shop@fish.example',
  phone: '(02) 9004 1100',
} as const
const place = {
  part: 'place',
  name: 'The Shed',
  address: '2 Quay Rd, Eden NSW 2551',
  latitude: -37.07,
  longitude: 149.9,
} as const

const save = (shop: OrderShop, value: SiteInput, version?: number, call = shop.admin) =>
  call('PUT', '/api/manage/site', value, version === undefined ? undefined : { 'if-match': `"${version}"` })
const saved = async (...args: Parameters<typeof save>) => {
  const reply = await save(...args)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}
const siteOf = async (shop: OrderShop) => (await shop.app.inject('/api/site')).json()
const wordsOf = async (shop: OrderShop, page: string): Promise<string> =>
  (await shop.app.inject(`/api/content/about/${page}`)).json().html

for (const [name, open] of testDatabases) {
  test(`${name}: who sells and where is picked up are edited, known to another process at once, undone and given back to the files`, async () => {
    await using shop = await shopWithOrders({ open })
    const other = new SiteSettings(shop.database, shop.deps.site.setup)
    await using following = new AsyncDisposableStack()
    following.defer(await new EventFeed(shop.database, shop.deps.log).start([other], 3_600_000))
    assert.equal((await other.current()).seller.name, undefined)

    const first = await saved(shop, seller)
    assert.deepEqual([first.version, first.isSetup, first.who], [1, false, 'admin Sample'])
    assert.equal((await siteOf(shop)).seller, 'Fish & Sons, ABN 51 824 753 556')
    for (const part of ['Fish &amp; Sons', '51 824 753 556', '(02) 9004 1100'])
      assert.ok((await wordsOf(shop, 'contact')).includes(part), part)
    while ((await other.current()).seller.name !== 'Fish & Sons') await sleep(20)

    await saved(shop, place)
    const { part: _, ...pickUp } = place
    assert.deepEqual((await siteOf(shop)).pickUp, pickUp)
    assert.match(
      await wordsOf(shop, 'contact'),
      /At The Shed, 2 Quay Rd, Eden NSW 2551 \(.*mlat=-37\.07&amp;mlon=149\.9#/,
    )
    assert.match(await wordsOf(shop, 'delivery'), /At The Shed/)
    assert.equal(
      (await siteOf(shop)).market.name,
      'Sydney Fish Market',
      'where boxes arrive is another thing',
    )

    assert.equal(
      (await saved(shop, { ...seller, name: ' Fish & Sons ' })).version,
      1,
      'the same again is no version',
    )
    await saved(shop, { ...seller, name: 'Fish & Daughters', phone: '' }, 1)
    const { rows, total } = (await shop.admin('GET', '/api/manage/site/seller/versions')).json()
    assert.deepEqual(
      rows.map((row: { version: number; before: { name?: string }; after: { name?: string } }) => [
        row.version,
        row.before.name,
        row.after.name,
      ]),
      [
        [2, 'Fish & Sons', 'Fish & Daughters'],
        [1, undefined, 'Fish & Sons'],
      ],
    )
    assert.equal(total, 2)
    const restore = (to: number, version: number) =>
      shop.admin('POST', '/api/manage/site/seller/restoration', { to }, { 'if-match': `"${version}"` })
    const undone = await restore(1, 2)
    assert.equal(undone.statusCode, 200, undone.body)
    assert.deepEqual([undone.json().version, undone.json().value.name], [3, 'Fish & Sons'])
    assert.equal((await siteOf(shop)).seller, 'Fish & Sons, ABN 51 824 753 556')
    assert.equal((await restore(9, 3)).statusCode, 404)
    const back = await restore(0, 3)
    assert.deepEqual([back.json().version, back.json().isSetup], [4, true])
    assert.equal((await siteOf(shop)).seller, null)
    assert.equal((await restore(0, 4)).json().version, 4, 'twice is as once')
    while ((await other.current()).seller.name !== undefined) await sleep(20)

    const history = (await shop.admin('GET', '/api/history?entity=site&id=seller')).json()
    assert.deepEqual(
      history.rows.map(({ who, after }: { who: string; after: { name: string } }) => [who, after.name]),
      [
        ['admin Sample', null],
        ['admin Sample', 'Fish & Sons'],
        ['admin Sample', 'Fish & Daughters'],
        ['admin Sample', 'Fish & Sons'],
      ],
    )
  })

  test(`${name}: of two who edit one part the second is told, and sees what the first wrote; two at once make one version`, async () => {
    await using shop = await shopWithOrders({ open })
    const bea = await callerOf(shop, 'bea', 'ADMIN')
    await saved(shop, { ...place, name: 'Hers' }, 0, bea)
    const late = await save(shop, { ...place, name: 'His' }, 0)
    assert.equal(late.statusCode, 409, late.body)
    const { code, current } = late.json().error
    assert.deepEqual(
      [code, current.version, current.value.name, current.who],
      ['version.stale', 1, 'Hers', 'bea Sample'],
    )
    assert.equal((await siteOf(shop)).pickUp.name, 'Hers', 'nothing was saved')
    await saved(shop, seller, 0)

    const race = await Promise.all(['A', 'B', 'C', 'D'].map((one) => save(shop, { ...place, name: one }, 1)))
    assert.deepEqual(race.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409])
    const rows = await shop.deps.db.select().from(siteVersions)
    assert.deepEqual(rows.map(({ part, version }) => `${part} ${version}`).sort(), [
      'place 1',
      'place 2',
      'seller 1',
    ])
  })

  test(`${name}: an order keeps the place that it was placed with, and its invoice who sold it`, async () => {
    await using shop = await shopWithOrders({ open })
    await saved(shop, seller)
    const { _id } = await shop.placed({ ice: 1 })
    const ask = async (id: string) => (await shop.admin('GET', `/api/order/${id}`)).json()
    await saved(shop, place)
    assert.equal((await ask(_id)).pickUp.name, 'Sydney Fish Market')
    const later = await shop.placed({ ice: 1 })
    assert.equal((await ask(later._id)).pickUp.name, 'The Shed')
    const key = new URL(later.link).searchParams.get('key') ?? ''
    const calendar = await shop.app.inject(`/api/order/${later._id}/time.ics?key=${key}`)
    assert.match(calendar.body, /LOCATION:The Shed/)
    const atFirst = await shop.admin('GET', `/api/order/${_id}/time.ics`)
    assert.match(atFirst.body, /LOCATION:Sydney Fish Market/)

    const fetched = await ordered(
      shop,
      { ice: 1 },
      {
        fulfilment: { kind: 'delivery', slot: shop.delivery, address },
      },
    )
    await saved(shop, { ...place, name: 'The Hall' })
    await amendedAs(shop, fetched, { kind: 'pickup', slot: shop.pickup })
    assert.equal(
      (await seen(shop, fetched)).pickUp?.name,
      'The Hall',
      'as when its buyer chose to pick it up',
    )

    const sold = async () => sellerOf(await readWholeOrder(shop.deps.db, _id), await shop.deps.site.current())
    await saved(shop, { ...seller, name: 'Fish & Daughters' })
    assert.equal((await sold()).name, 'Fish & Daughters', 'there is no invoice yet')
    await moved(shop, _id, 'PACKED')
    await saved(shop, { ...seller, name: 'Fish & Grandchildren' })
    assert.equal((await sold()).name, 'Fish & Daughters')
  })

  test(`${name}: versions that were replaced long ago go, what is said now and what orders ask for stays`, async () => {
    await using shop = await shopWithOrders({ open })
    await saved(shop, seller)
    await saved(shop, { ...seller, name: 'Now' })
    const versions = async () =>
      (await shop.deps.db.select().from(siteVersions)).map(({ version }) => version).sort()
    const inYears = (years: number) => new Date(Date.now() + years * 366 * 86_400_000)
    for (const retention of siteRetention) await endAll(retention, shop.deps.db, inYears(6))
    assert.deepEqual(await versions(), [1, 2])
    for (const retention of siteRetention) await endAll(retention, shop.deps.db, inYears(8))
    assert.deepEqual(await versions(), [2])
    const { rows } = (await shop.admin('GET', '/api/manage/site/seller/versions')).json()
    assert.deepEqual([rows.length, rows[0].before], [1, null], 'what was before is not known any more')
  })
}

test('what is wrong is said with the path of each field, and nothing is saved', async () => {
  await using shop = await shopWithOrders()
  const refused = async (value: object) => {
    const reply = await save(shop, value as SiteInput)
    assert.equal(reply.statusCode, 400, reply.body)
    return reply
      .json()
      .error.fields.map(({ path }: { path: string }) => path)
      .sort()
  }
  assert.deepEqual(
    await refused({ ...seller, name: 'x'.repeat(201), abn: '1', email: 'no', phone: 'a\nb' }),
    ['abn', 'email', 'name', 'phone'],
  )
  assert.deepEqual(await refused({ part: 'seller', abn: '51824753556' }), ['address', 'name'])
  assert.deepEqual(await refused({ ...place, name: ' ', latitude: 91, longitude: '151' }), [
    'latitude',
    'longitude',
    'name',
  ])
  assert.deepEqual(await refused({ part: 'nowhere' }), ['part'])
  assert.equal((await siteOf(shop)).seller, null)
  const parts = (await shop.admin('GET', '/api/manage/site')).json()
  assert.deepEqual(
    parts
      .slice(0, 4)
      .map(({ key, version, isSetup }: { key: string; version: number; isSetup: boolean }) => [
        key,
        version,
        isSetup,
      ]),
    [
      ['seller', 0, true],
      ['place', 0, true],
      ['delivery', 0, true],
      ['partners', 0, true],
    ],
  )
  assert.equal((await shop.admin('GET', '/api/manage/site/nothing')).statusCode, 404)
})
