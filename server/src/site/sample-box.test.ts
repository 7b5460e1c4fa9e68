import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { EventFeed } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { SiteSettings } from './settings.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

/** What a new shop names. */
const NAMED = '0345579444'
const LINK = `/SFMBox/byId/${NAMED}`
const FISHER = sampleBox().fisher

/** The shop with what its processes hear, another process, and whether each of them says that the sample is there. */
async function followed(shop: OrderShop) {
  const other = new SiteSettings(shop.database, shop.deps.site.setup)
  const stop = await new EventFeed(shop.database, shop.deps.log).start([shop.deps.site, other], 100)
  return {
    other,
    until: async (box: string | null): Promise<void> => {
      for (const site of [shop.deps.site, other])
        while ((await site.current()).sampleBox !== box) await sleep(20)
    },
    [Symbol.asyncDispose]: stop,
  }
}

const siteOf = async (shop: OrderShop) => (await shop.app.inject('/api/site')).json()
const sitemapOf = async (shop: OrderShop) => (await shop.app.inject('/sitemap.xml')).body
const noBox = (shop: OrderShop, box: string) =>
  shop.deps.db.transaction(async (tx) => {
    await rows(tx, sql`delete from records where box_id = ${box}`)
    await rows(tx, sql`delete from boxes where id = ${box}`)
  })

for (const [name, open] of testDatabases) {
  test(`${name}: nothing leads to a sample box that is not there; every process hears when it comes and goes`, async () => {
    await using shop = await shopWithOrders({ open })
    await using processes = await followed(shop)
    await processes.until(null)
    assert.equal((await siteOf(shop)).sampleBox, null)
    assert.ok(!(await sitemapOf(shop)).includes('/SFMBox/byId/'))
    const part = (await shop.admin('GET', '/api/manage/site/sample-box')).body
    assert.ok(part.includes(NAMED), 'managers see which box is named')

    const { version } = await processes.other.current()
    await snapperBox(shop, 'BOX-1')
    await sleep(200)
    assert.equal((await processes.other.current()).version, version, 'another box: pages that are kept stay')

    const registration = { boxID: NAMED, fisher: FISHER }
    assert.equal((await shop.admin('POST', '/api/box/registration', registration)).statusCode, 201)
    await processes.until(NAMED)
    assert.equal((await siteOf(shop)).sampleBox, NAMED)
    assert.ok((await sitemapOf(shop)).includes(`${LINK}<`))

    await noBox(shop, NAMED)
    await processes.until(null)
    assert.ok(!(await sitemapOf(shop)).includes(LINK))
  })

  test(`${name}: a box of the register of devices, which has no page, is no sample`, async () => {
    await using shop = await shopWithOrders({ open })
    const box = registerBoxOf('a'.repeat(32))
    await rows(shop.deps.db, sql`insert into boxes (id, head) values (${box}, 'x')`)
    const refused = await shop.admin('PUT', '/api/manage/site', { part: 'sample-box', box })
    assert.deepEqual([refused.statusCode, refused.json().error.fields?.[0]?.path], [400, 'box'], refused.body)
  })
}

test('a box that comes while the site is read for the first time is not passed over', async () => {
  await using shop = await shopWithOrders()
  const site = new SiteSettings(shop.database, shop.deps.site.setup)
  const first = site.current()
  site.heard({ id: 1, kind: eventKinds.boxGrown, keys: [NAMED] })
  assert.equal((await first).sampleBox, null, 'it was read before')
  await rows(shop.deps.db, sql`insert into boxes (id, head) values (${NAMED}, 'x')`)
  assert.equal((await site.current()).sampleBox, NAMED)
})

test('home and lab lead to the sample box while there is one, and say else what to do', {
  skip: withoutPages,
}, async () => {
  await using shop = await shopWithOrders({
    env: { WEB_DIST: WEB_DIST ?? '' },
    render: await loadRenderer(WEB_DIST ?? ''),
  })
  await using processes = await followed(shop)
  const page = async (url: string): Promise<string> => (await shop.app.inject(url)).body
  // Twice: the second answer is kept.
  for (const _ of [1, 2]) {
    assert.ok((await page('/')).includes('<video'))
    for (const url of ['/', '/lab', '/lab?box=!']) assert.ok(!(await page(url)).includes(LINK), url)
  }
  assert.match(await page('/lab'), /This shop has no sample box yet/)
  assert.doesNotMatch(await page('/lab?box=!'), /the shop’s sample is on the bench/)
  assert.ok(
    (await page('/lab?box=BOX-1')).includes('/SFMBox/byId/BOX-1'),
    'another box is taken all the same',
  )

  assert.equal(
    (await shop.admin('POST', '/api/box/registration', { boxID: NAMED, fisher: FISHER })).statusCode,
    201,
  )
  await processes.until(NAMED)
  for (const url of ['/', '/lab', '/lab?box=!']) assert.ok((await page(url)).includes(LINK), url)
  assert.match(await page('/lab?box=!'), /the shop’s sample is on the bench/)
})
