import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'

const { boxID } = sampleBox()
const PAGE = `/SFMBox/byId/${boxID}`

/** A shop with one box, whose pages say how many were rendered so far; `later` moves its clock. */
async function boxShop(env: Record<string, string> = {}) {
  let rendered = 0
  let now = Date.parse('2026-11-20T00:00:00Z')
  const render = async ({ url }: { url: string }) => {
    const status = url.includes('nope') ? 404 : 200
    return { status, html: Buffer.from(`<!doctype html><title>${url}</title>${++rendered}`), headers: {} }
  }
  const place = { chainId: 31337, embedded: true, rpc: '', contract: `0x${'1'.repeat(40)}` }
  const deps = { ledger: { locate: async () => place }, now: () => new Date(now) }
  const shop = await testShop({ render, env, deps })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box', sampleBox())
  const rendering = async (url: string): Promise<number> =>
    Number((await shop.app.inject({ url })).body.split('</title>')[1])
  return {
    ...shop,
    admin,
    rendering,
    later: (ms: number): void => {
      now += ms
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

test('the page of a box is cached from its second request until the box changes', async () => {
  await using shop = await boxShop()
  for (const want of [1, 2, 2, 2]) assert.equal(await shop.rendering(PAGE), want)
  const { headers } = await shop.app.inject({ url: PAGE })
  assert.equal(headers['cache-control'], 'no-cache')
  const again = await shop.app.inject({ url: PAGE, headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.statusCode, 304)
  await shop.admin('POST', `/api/box/${boxID}/seal`, {})
  for (const want of [3, 4, 4]) assert.equal(await shop.rendering(PAGE), want)
})

test('a change of the catalogue shows on the page of a box, too', async () => {
  await using shop = await boxShop()
  for (const want of [1, 2, 2]) assert.equal(await shop.rendering(PAGE), want)
  shop.deps.catalogue.clear()
  assert.equal(await shop.rendering(PAGE), 3)
})

test('an unknown box is looked up each time, and a logged-in visitor’s page is not cached', async () => {
  await using shop = await boxShop()
  for (const want of [1, 2, 3]) assert.equal(await shop.rendering('/SFMBox/byId/nope'), want)
  for (const page of ['4', '5', '6']) {
    const answer = await shop.admin('GET', PAGE)
    assert.equal(answer.body.split('</title>')[1], page)
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('with an external geocoder a page is rendered again after five minutes', async () => {
  await using shop = await boxShop({ GEOCODER_URL: 'http://127.0.0.1:9/geocode' })
  for (const want of [1, 2, 2]) assert.equal(await shop.rendering(PAGE), want)
  shop.later(5 * 60_000)
  assert.equal(await shop.rendering(PAGE), 3)
})

test('the page of a box is made anew each hour, since it counts days and hours', async () => {
  await using shop = await boxShop()
  for (const want of [1, 2, 2]) assert.equal(await shop.rendering(PAGE), want)
  shop.later(59 * 60_000)
  assert.equal(await shop.rendering(PAGE), 2)
  shop.later(60_000)
  assert.equal(await shop.rendering(PAGE), 3)
})
