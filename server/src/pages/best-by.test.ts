import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { loadRenderer } from '#server/pages/renderer.ts'
import { loadSample } from '#server/sample/load-sample.ts'
import { testShop } from '#server/testing/shop.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

/** Not what the page says of the index: 1 is past its best. */
const OVER = /(?<!is )past its best/i

/** Text of a page without its tags and scripts. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('best-by is one date on card, product and box, and all of them are over when it is', {
  skip: withoutPages,
}, async () => {
  let now = Date.parse('2027-03-10T00:30:00Z')
  const place = { chainId: 31337, embedded: true, rpc: '', contract: `0x${'1'.repeat(40)}` }
  await using shop = await testShop({
    env: { WEB_DIST: WEB_DIST ?? '' },
    render: await loadRenderer(WEB_DIST ?? ''),
    deps: { now: () => new Date(now), ledger: { locate: async () => place } },
  })
  await loadSample(shop.deps)
  shop.deps.catalogue.clear()
  const list = (await shop.app.inject('/api/product/active')).json()
  const snapper = list.find(({ box }: { box: { boxID: string } | null }) => box?.boxID === '0345579444')
  assert.ok(snapper)
  const pages = [`/product/${snapper._id}`, '/SFMBox/byId/0345579444', '/product?q=snapper&sort=freshest']
  /** Twice: the second answer is kept, and must roll over, too. */
  const shown = () =>
    Promise.all(
      pages.map(async (url) => {
        await shop.app.inject(url)
        await shop.app.inject(url)
        return textOf((await shop.app.inject(url)).body)
      }),
    )
  const [product = '', box = '', cards = ''] = await shown()
  const { catchTime, bestBy } = snapper.box
  assert.match(catchTime, /^2027-03-0[6-9] /, 'the sample is of this week')
  const [, day = ''] = /Best by (\w{3} \d+ \w{3})/.exec(product) ?? []
  assert.equal(Number(day.split(' ')[1]), Number(bestBy.slice(8)))
  assert.ok(box.includes(day), `${day} in ${box.slice(0, 2_000)}`)
  assert.ok(cards.includes(`best by ${day}`))
  for (const text of [product, box, cards]) assert.doesNotMatch(text, OVER)

  now = Date.parse(`${bestBy}T12:00:00Z`)
  assert.match((await shown())[1] ?? '', /use soon/)
  assert.match((await shown())[1] ?? '', /if it has been on ice since its last reading \d+ days ago/)
  now += 24 * HOUR_MS
  for (const text of await shown()) assert.match(text, OVER)
  assert.match((await shown())[1] ?? '', /0 days/, 'time left, at each temperature')
})
