import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { loadSample } from '#server/sample/load-sample.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

test('cards that were rendered before are the same to the byte, and new when a product or the day is', {
  skip: withoutPages,
}, async () => {
  let now = Date.parse('2027-03-10T00:30:00Z')
  await using shop = await testShop({
    env: { WEB_DIST: WEB_DIST ?? '' },
    render: await loadRenderer(WEB_DIST ?? ''),
    deps: { now: () => new Date(now) },
  })
  await loadSample(shop.deps)
  shop.deps.catalogue.clear()
  /** Rendered anew each time: no two requests have the same address. */
  let visits = 0
  const page = async (path: string): Promise<string> => {
    visits += 1
    const { body, statusCode } = await shop.app.inject(`${path}?visit=${visits}`)
    assert.equal(statusCode, 200)
    return body.replaceAll(`visit=${visits}`, '').replaceAll(`visit%3D${visits}`, '')
  }
  const cards = (html: string): number => html.split('<article').length - 1
  for (const path of ['/', '/product', '/category/Fish']) {
    const first = await page(path)
    assert.ok(cards(first) > 5, path)
    assert.equal(await page(path), first)
    assert.equal(await page(path), first)
  }

  const call = await callerOf(shop, 'admin', 'ADMIN')
  const [product] = (await shop.app.inject('/api/product/active')).json()
  const before = await page('/')
  const change = await call('PATCH', `/api/product/${product._id}`, { price: 987.65 })
  assert.equal(change.statusCode, 200, change.body)
  const after = await page('/')
  assert.ok(!before.includes('$987.65') && after.includes('$987.65'))
  assert.equal(cards(after), cards(before))
  assert.equal(await page('/'), after)

  const over = (html: string): number => html.split('>Past its best<').length - 1
  now += 60 * 86_400_000
  const later = await page('/')
  assert.ok(over(later) > over(after))
  assert.equal(await page('/'), later)
})
