import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@befaqt/domain/durations'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { loadSample } from '#server/sample/load-sample.ts'
import { callerOf } from '#server/testing/caller.ts'
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

  const { over } = snapper.box.wordFrom
  assert.ok(over <= bestBy)
  now = Date.parse(`${over}T00:00:00Z`) - 12 * HOUR_MS
  assert.match((await shown())[1] ?? '', /use soon/)
  assert.match((await shown())[1] ?? '', /last measured \d+ days ago/)
  now += 24 * HOUR_MS
  for (const text of await shown()) assert.match(text, OVER)
  assert.match((await shown())[1] ?? '', /by the careful edge of its range/)
  now = Date.parse(`${bestBy}T12:00:00Z`) + 6 * 24 * HOUR_MS
  assert.match((await shown())[1] ?? '', /0 days/, 'time left, at each temperature')
})

test('a warm box that falls silent is unknown on cached pages, too, as soon as it is', {
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
  const boxID = '0345579444'
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const warm = { box: boxID, iotID: 'L-1', latitude: -33.87, longitude: 151.19, temperature: 6 }
  const sent = await admin('POST', '/api/tracking', {
    readings: [{ ...warm, time: new Date(now).toISOString() }],
  })
  assert.equal(sent.statusCode, 200, sent.body)
  shop.deps.catalogue.clear()
  const list = (await shop.app.inject('/api/product/active')).json()
  const snapper = list.find(({ box }: { box: { boxID: string } | null }) => box?.boxID === boxID)
  assert.ok(snapper?.box.warm)
  const shown = () =>
    Promise.all(
      [`/product/${snapper._id}`, '/product?q=snapper', `/SFMBox/byId/${boxID}`].map(async (url) =>
        textOf((await shop.app.inject(url)).body),
      ),
    )
  for (const text of await shown()) assert.match(text, /use soon/i)
  now = Date.parse(snapper.box.warm.unknownFrom)
  const [product = '', cards = '', box = ''] = await shown()
  for (const text of [product, cards, box]) assert.match(text, /unknown since Wed 11:30 am, last 6 °C/i)
  for (const text of [product, cards]) assert.doesNotMatch(text, /best by/i)
  assert.doesNotMatch(box, /best by \w{3} \d|of 5 stars|if iced now/i)
  assert.doesNotMatch(textOf((await shop.app.inject('/product?fresh=4&q=snapper')).body), /unknown since/i)
})
