import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecallView } from '@befaqt/domain/api/recall-api'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq, sql } from 'drizzle-orm'
import pino from 'pino'
import { rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { cdnJobs } from '#server/job-registry.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type CachingProxy, cachingProxy } from '#server/testing/caching-proxy.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { COPIES_LAST_MS, openCdn } from './cdn.ts'
import { CDN_QUEUE, cdnConsumer, clearLater } from './clear-copies.ts'

const SECRET = 'a secret of the CDN'
const log = pino({ level: 'silent' })
const never = new AbortController().signal

/** Pages that link to all that they show, as the shop's do: a list of both products, and pages of one. */
async function shopBehind(cdn: CachingProxy | null, more: Parameters<typeof shopWithOrders>[0] = {}) {
  const shown: string[] = []
  const render = async ({ url }: { url: string }) => {
    shown.push(url)
    const links = /^\/product\/|SFMBox/.test(url) ? [] : ['/product/snapper', '/product/ice']
    if (url === '/product/snapper') links.push('/SFMBox/byId/BOX-1')
    const html = `${shown.length} ${links.map((link) => `<a href="${link}">fish</a>`).join('')}`
    return { status: 200, html: Buffer.from(html), headers: {} }
  }
  const place = { chainId: 31337, embedded: true, rpc: '', contract: `0x${'1'.repeat(40)}` }
  const purge = cdn && { CDN_PURGE_URL: cdn.purgeUrl, CDN_PURGE_SECRET: SECRET }
  const env = { CDN_TAG_HEADER: 'Surrogate-Key', ...purge, ...more.env }
  const deps = { ledger: { locate: async () => place } }
  const shop = await shopWithOrders({ ...more, render, env, deps })
  if (shop.deps.cdn) shop.deps.cdn.atOnceMs = 60_000
  if (cdn) cdn.origin = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { fisher } = sampleBox()
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher })
  await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 20 }])
  return { ...shop, shown }
}

/** What a process does from time to time: follows events, and does jobs, here those that are not due, too. */
async function settle({ deps }: OrderShop): Promise<void> {
  while (await consume(deps.db, cdnConsumer, log));
  await rows(deps.db, sql`update jobs set run_at = now() where queue = ${CDN_QUEUE}`)
  await runDueJobs(deps.db, cdnJobs(deps), log, never)
}

const waiting = ({ deps }: OrderShop): Promise<number> => deps.db.$count(jobs, eq(jobs.queue, CDN_QUEUE))

const PAGES = ['/product', '/product/snapper', '/product/ice', '/SFMBox/byId/BOX-1', '/category/Fish']
const RECALL = '/api/box/BOX-1/recall'

const hits = async (cdn: CachingProxy): Promise<string[]> => {
  const kept: string[] = []
  for (const page of PAGES) if ((await cdn.get(page)).hit) kept.push(page)
  return kept
}

test('without a CDN pages are what they were; with one they may be shared for a time, with tags', async () => {
  await using none = await shopBehind(null, { env: { CDN_TAG_HEADER: '' } })
  const plain = await none.app.inject('/product/snapper')
  assert.deepEqual(
    [plain.headers['cache-control'], plain.headers['surrogate-key'], none.deps.cdn],
    ['no-cache', undefined, null],
  )
  await using tagged = await shopBehind(null, { env: { CDN_TAG_HEADER: 'Cache-Tag' } })
  for (let n = 0; n < 3; n++) {
    const { headers } = await tagged.app.inject('/product/snapper')
    assert.match(
      String(headers['cache-control']),
      /^public, max-age=0, s-maxage=30, stale-while-revalidate=30$/,
    )
    assert.equal(headers['cache-tag'], 'pages,category:c,product:snapper')
    assert.equal(headers.vary, 'accept-encoding, cookie')
  }
  await using cdn = await cachingProxy(SECRET)
  await using cleared = await shopBehind(cdn)
  const ofList = await cleared.app.inject('/category/Fish')
  assert.equal(ofList.headers['cache-control'], 'public, max-age=0, s-maxage=300, stale-while-revalidate=60')
  assert.equal(ofList.headers['surrogate-key'], 'pages lists category:c product:snapper product:ice')
  const same = await cleared.app.inject({ url: '/category/Fish', headers: { accept: 'text/html' } })
  const { etag } = same.headers
  const unchanged = await cleared.app.inject({
    url: '/category/Fish',
    headers: { 'if-none-match': String(etag) },
  })
  assert.deepEqual(
    [unchanged.statusCode, unchanged.headers['surrogate-key']],
    [304, ofList.headers['surrogate-key']],
  )
})

for (const [database, open] of testDatabases) {
  test(`what changed is cleared from the CDN by its tags, and nothing else (${database})`, async () => {
    await using cdn = await cachingProxy(SECRET)
    await using shop = await shopBehind(cdn, { open })
    await settle(shop)
    assert.deepEqual(cdn.cleared[0], ['pages'], 'at its first start it clears all')
    await hits(cdn)
    assert.deepEqual(await hits(cdn), PAGES)
    const saved = await shop.admin('PATCH', '/api/product/snapper', { price: 31 })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.deepEqual(await hits(cdn), PAGES, 'not yet')
    await settle(shop)
    assert.deepEqual(cdn.cleared.at(-1), ['lists', 'product:snapper'])
    assert.deepEqual(await hits(cdn), ['/product/ice', '/SFMBox/byId/BOX-1'])
    const calls = cdn.cleared.length
    await settle(shop)
    assert.equal(cdn.cleared.length, calls, 'once')
    await hits(cdn)
    await shop.admin('POST', '/api/tracking', {
      readings: [
        {
          box: 'BOX-1',
          iotID: 'tag',
          time: new Date().toISOString(),
          latitude: -33,
          longitude: 151,
          temperature: 2,
        },
      ],
    })
    await settle(shop)
    assert.ok(cdn.cleared.slice(calls).flat().includes('box:BOX-1'), JSON.stringify(cdn.cleared))
    assert.ok(!(await hits(cdn)).includes('/SFMBox/byId/BOX-1'))
    assert.ok((await hits(cdn)).includes('/product/ice'), 'a reading clears no other product')
    await shop.admin('PUT', '/api/manage/site', { part: 'seller', name: 'Fish & Sons' })
    await settle(shop)
    assert.deepEqual(await hits(cdn), [])
  })

  test(`a recall is answered when no copy is left; where that fails it says so, and it is tried again (${database})`, async () => {
    await using cdn = await cachingProxy(SECRET)
    await using shop = await shopBehind(cdn, { open })
    await settle(shop)
    const recall = async (url: string, reason: string): Promise<RecallView> => {
      const reply = await shop.admin('POST', url, { reason })
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json()
    }
    const kept = async (): Promise<void> => {
      await hits(cdn)
      assert.deepEqual(await hits(cdn), PAGES)
    }
    await kept()
    const { copiesLate } = await recall(RECALL, 'too warm')
    assert.equal(copiesLate, undefined)
    assert.deepEqual(await hits(cdn), ['/product/ice'])
    assert.equal(await waiting(shop), 1, 'and once more when every process knows of it')
    await settle(shop)
    await recall(`${RECALL}/withdrawal`, 'a mistake')
    await settle(shop)

    for (const purging of ['fails', 'hangs'] as const) {
      await kept()
      if (shop.deps.cdn && purging === 'hangs') shop.deps.cdn.atOnceMs = 500
      cdn.purging = purging
      assert.equal((await recall(RECALL, 'too warm')).copiesLate, true, purging)
      assert.deepEqual(await hits(cdn), PAGES)
      if (purging === 'fails') {
        await settle(shop)
        assert.deepEqual(
          [await hits(cdn), (await waiting(shop)) > 0],
          [PAGES, true],
          'it waits for its next attempt',
        )
      }
      cdn.purging = 'works'
      await settle(shop)
      assert.deepEqual([await hits(cdn), await waiting(shop)], [['/product/ice'], 0])
      await recall(`${RECALL}/withdrawal`, 'a mistake')
      await settle(shop)
    }
  })
}

test('a recall of a box whose history has ended is cleared, too, and one without a CDN says nothing of it', async () => {
  await using cdn = await cachingProxy(SECRET)
  await using shop = await shopBehind(cdn)
  assert.equal((await shop.admin('POST', '/api/box/BOX-1/seal')).statusCode, 201)
  await settle(shop)
  await hits(cdn)
  await shop.admin('POST', RECALL, { reason: 'too warm' })
  assert.deepEqual(await hits(cdn), ['/product/ice'])
  await using none = await shopBehind(null, { env: { CDN_TAG_HEADER: '' } })
  const reply = await none.admin('POST', RECALL, { reason: 'too warm' })
  assert.deepEqual([reply.statusCode, 'copiesLate' in reply.json(), await waiting(none)], [200, false, 0])
})

test('calls have few tags, many changes are one, and what has gone by itself is not cleared', async () => {
  await using cdn = await cachingProxy(SECRET)
  await using shop = await shopBehind(cdn)
  await settle(shop)
  const before = cdn.cleared.length
  const { db } = shop.deps
  await clearLater(
    db,
    shop.deps,
    Array.from({ length: 95 }, (_, i) => `box:${i}`),
  )
  await settle(shop)
  assert.deepEqual(
    cdn.cleared.slice(before).map(({ length }) => length),
    [30, 30, 30, 5],
  )
  await clearLater(
    db,
    shop.deps,
    Array.from({ length: 1_000 }, (_, i) => `box:${i}`),
  )
  await settle(shop)
  await clearLater(
    db,
    shop.deps,
    Array.from({ length: 1_000 }, (_, i) => `product:${i}`),
  )
  await settle(shop)
  assert.deepEqual(cdn.cleared.slice(before + 4), [['boxes'], ['pages']])
  await enqueue(db, CDN_QUEUE, { tags: ['lists'], until: Date.now() - 1 })
  await settle(shop)
  assert.deepEqual([cdn.cleared.length, await waiting(shop)], [before + 6, 0])
  assert.ok(COPIES_LAST_MS <= 600_000)
})

test('a call has the secret, and follows no redirect with it', async () => {
  await using cdn = await cachingProxy(SECRET)
  const wrong = openCdn({
    CDN_TAG_HEADER: 'Cache-Tag',
    CDN_PURGE_URL: cdn.purgeUrl,
    CDN_PURGE_SECRET: 'another one',
  })
  await assert.rejects(async () => wrong?.clear?.(['lists'], never), /answered 403/)
  assert.deepEqual(cdn.cleared, [])
})

test('nothing that a signed-in person gets is public, on any public route; nor is what sets a cookie', async () => {
  await using cdn = await cachingProxy(SECRET)
  await using shop = await shopBehind(cdn)
  const { _id, link } = await shop.placed({ ice: 1 })
  const given: Record<string, string> = {
    id: 'snapper',
    boxID: 'BOX-1',
    catTitle: 'Fish',
    index: '0',
    '*': 'product',
  }
  const urls = shop.app.routes
    .filter(({ method, access }) => method === 'GET' && access === 'public')
    .map(({ url }) => url.replaceAll(/:(\w+)|\*/g, (all, name) => given[name ?? all] ?? 'x'))
    .filter((url) => !url.includes('/events') && !url.includes('/stream'))
  urls.push(
    ...PAGES,
    '/',
    '/cart',
    '/checkout',
    '/user/signin',
    '/user/profile',
    `/api/order/${_id}`,
    String(link),
  )
  assert.ok(urls.length > 40, String(urls.length))
  let shared = 0
  for (const url of urls) {
    const signed = await shop.admin('GET', url)
    const anybody = await shop.app.inject(url)
    const control = String(signed.headers['cache-control'] ?? '')
    const isSame = signed.body === anybody.body && anybody.headers['cache-control'] === control
    if (/\bpublic\b/.test(control)) {
      assert.ok(isSame && signed.headers['set-cookie'] === undefined, `${url}: ${control}`)
      assert.equal(signed.headers['surrogate-key'], undefined, url)
    }
    if (/s-maxage/.test(String(anybody.headers['cache-control']))) shared += 1
    assert.ok(!/s-maxage/.test(control), url)
    if (PAGES.includes(url)) assert.equal(control, 'no-store', url)
  }
  assert.ok(shared >= PAGES.length, String(shared))
})
