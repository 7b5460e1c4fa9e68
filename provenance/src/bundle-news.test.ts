import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf, withNews } from './bundle.ts'
import { FormatError } from './format-error.ts'
import { anchorBox, marketShop, recordsOf, rewrite } from './testing/dishonest-server.ts'
import { grow, liesOfNews, newsSince } from './testing/lies-of-news.ts'
import type { Shop } from './testing/shop.ts'
import { codesOf } from './testing/three-anchors.ts'
import { verifyBundle } from './verify.ts'

const check = (shop: Shop, bundle: unknown) => verifyBundle(bundle, shop.ledger())

test('a bundle and its news make the bundle that would have come whole', async () => {
  const shop = marketShop()
  for (let round = 0; round < 4; round++) {
    const former = shop.bundleOf('A')
    if (round === 1)
      shop.append('A', 'tracking') // pending
    else if (round === 2) grow(shop)
    else {
      shop.append('C', 'tracking')
      shop.anchor()
    }
    const now = shop.bundleOf('A')
    assert.deepEqual(withNews(former, newsSince(former, now)), now)
    assert.deepEqual(withNews(former, { ...now, kept: { records: 0, anchors: 0 } }), now)
  }
})

test('the position of a bundle is that of its last growth', () => {
  const shop = marketShop()
  assert.equal(positionOf(shop.bundleOf('A')), '7-4', 'anchor 5 repeats its state')
  shop.append('A', 'tracking')
  assert.equal(positionOf(shop.bundleOf('A')), '8-4')
  assert.equal(positionOf({ ...shop.bundleOf('A'), anchors: [] }), '8-none')
})

for (const [what, tell] of liesOfNews)
  test(`news ${what}: never verified with what was proven`, async () => {
    const shop = marketShop()
    const former = shop.bundleOf('A')
    const news = tell(shop, former)
    try {
      const { verdict } = await check(shop, withNews(former, news))
      assert.ok(['broken', 'incomplete'].includes(verdict), verdict)
    } catch (refusal) {
      assert.ok(refusal instanceof FormatError, String(refusal))
    }
  })

test('news of a rewritten history say so against what was proven, when the whole alone would not', async () => {
  const shop = marketShop()
  const former = shop.bundleOf('A')
  anchorBox(shop, recordsOf(shop).slice(0, 2))
  rewrite(shop)
  anchorBox(shop)
  const result = await check(shop, withNews(former, newsSince(former, shop.bundleOf('A'))))
  assert.equal(result.verdict, 'broken', codesOf(result).join())
})
