import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProductCard } from '@befaqt/domain/catalogue'
import { HOUR_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { EventFeed } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { NextSlots } from '#server/orders/next-slots.ts'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { loadSample } from '#server/sample/load-sample.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDb } from '#server/testing/database.ts'
import { linesOf, shopWithOrders } from '#server/testing/orders.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'
const ZONE = 'Australia/Sydney'
const place = { chainId: 31337, embedded: true, rpc: '', contract: `0x${'1'.repeat(40)}` }

/** Pages are cached from the second request on, with the ledger known. */
const withPages = async (now: () => number) => ({
  env: { WEB_DIST: WEB_DIST ?? '' },
  render: await loadRenderer(WEB_DIST ?? ''),
  deps: { now: () => new Date(now()), ledger: { locate: async () => place } },
})

/** The home page as it is cached, and served from the cache. */
async function home({ app }: TestShop): Promise<string> {
  for (const _ of ['noted', 'cached']) assert.equal((await app.inject('/')).statusCode, 200)
  const { body, headers } = await app.inject('/')
  assert.equal(headers['cache-control'], 'no-cache')
  return body
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>|<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('what is recalled, off sale or warm leaves the freshest four at once, also of a cached page, and comes back', {
  skip: withoutPages,
}, async () => {
  let now = Date.parse('2027-03-10T00:30:00Z')
  await using shop = await testShop(await withPages(() => now))
  await loadSample(shop.deps)
  shop.deps.catalogue.clear()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const freshest = async (): Promise<ProductCard[]> => (await shop.app.inject('/api/product/freshest')).json()
  /** Titles under the heading, which are those of the API. */
  const shown = async (): Promise<string[]> => {
    const [, section = ''] = /id="freshest"([\s\S]*?)<\/section>/.exec(await home(shop)) ?? []
    const titles = [...section.matchAll(/<h3[^>]*><a[^>]*>([^<]+)/g)].map(([, title = '']) => title)
    assert.deepEqual(
      (await freshest()).map(({ title }) => title),
      titles,
    )
    return titles
  }
  const before = await shown()
  assert.equal(before.length, 4)
  const cards = await freshest()
  assert.equal(new Set(cards.map(({ box }) => box?.boxID)).size, 4, 'each of another box')
  for (const { box, stock, saleStopped } of cards) {
    assert.ok(box?.bestBy && box.warm === null && box.stage !== 'at sea' && stock > 0 && !saleStopped)
    const [, section = ''] = /id="freshest"([\s\S]*?)<\/section>/.exec(await home(shop)) ?? []
    assert.ok(textOf(section).includes(`${Number(box.bestBy.slice(8))} `))
  }
  const [first] = cards
  const boxID = first?.box?.boxID ?? ''
  const of = `/api/box/${boxID}`
  const reason = 'It was too warm on the road.'
  const warmed = (temperature: number) => {
    now += 60_000
    const at = { latitude: -33.87, longitude: 151.19, time: new Date(now).toISOString() }
    return admin('POST', '/api/tracking', { readings: [{ box: boxID, iotID: 'L-1', ...at, temperature }] })
  }
  const isGone = async (what: string): Promise<void> => {
    const others = await freshest()
    assert.ok(!others.some(({ box }) => box?.boxID === boxID), `${what}: in the API`)
    assert.ok(!(await shown()).includes(first?.title ?? ''), `${what}: on the page`)
  }
  for (const [what, go, back] of [
    [
      'recalled',
      () => admin('POST', `${of}/recall`, { reason }),
      () => admin('POST', `${of}/recall/withdrawal`, { reason: 'The sensor was wrong.' }),
    ],
    [
      'off sale',
      () => admin('PUT', `${of}/sale`, { offSale: true, reason }),
      () => admin('PUT', `${of}/sale`, { offSale: false }),
    ],
  ] as const) {
    const gone = await go()
    assert.ok(gone.statusCode < 300, gone.body)
    await isGone(what)
    const returned = await back()
    assert.ok(returned.statusCode < 300, returned.body)
    assert.deepEqual(await shown(), before, `${what}, and back`)
  }
  for (const temperature of [6, 0.5]) {
    assert.equal((await warmed(temperature)).statusCode, 200)
    await isGone('warm, and cold again')
  }
})

test('home names the next times, none past its cut-off, closed or full, also when it is cached', {
  skip: withoutPages,
  timeout: 120_000,
}, async () => {
  const begun = Date.now()
  let now = begun
  await using shop = await shopWithOrders(await withPages(() => now))
  const { deps, database } = shop
  const at = (hours: number): string => new Date(begun + hours * HOUR_MS).toISOString()
  const clock = (hours: number): string =>
    new Intl.DateTimeFormat('en-AU', { hour: 'numeric', minute: '2-digit', hour12: true, timeZone: ZONE })
      .format(begun + hours * HOUR_MS)
      .replaceAll(/\s/g, ' ')
  const slot = (cutOff: number, capacity = 9) =>
    shop.newSlot({ startsAt: at(cutOff + 1), endsAt: at(cutOff + 2), cutOffAt: at(cutOff), capacity })
  const pickUp = /Pick-up at Sydney Fish Market (?:[^:]*, )?(\d+:\d\d [ap]m) to /
  const named = async (): Promise<string | undefined> => pickUp.exec(textOf(await home(shop)))?.[1]
  const isNamed = async (hours: number) => {
    while ((await named()) !== clock(hours)) await sleep(20)
  }
  const early = await slot(2, 2)
  const [closing] = [await slot(4), await slot(6)]
  assert.equal(await named(), clock(3))
  assert.match(textOf(await home(shop)), /Delivery to 2 postcodes, at no charge/)

  now = begun + 2 * HOUR_MS
  assert.equal(await named(), clock(5), 'the cut-off of the first is past')
  now = begun
  assert.equal(await named(), clock(3))

  const close = (closed: boolean) => shop.admin('PATCH', `/api/slot/${closing}`, { closed })
  now = begun + 2 * HOUR_MS
  assert.equal((await close(true)).statusCode, 200)
  assert.equal(await named(), clock(7), 'closed, in the next answer')
  assert.equal((await close(false)).statusCode, 200)
  assert.equal(await named(), clock(5), 'and open again')
  now = begun

  const other = new NextSlots(database)
  await using following = new AsyncDisposableStack()
  following.defer(await deps.events.start([deps.nextSlots]))
  following.defer(await new EventFeed(database, deps.log).start([other], 3_600_000))
  const order = async () => {
    const placed = await shop.place({
      lines: linesOf({ ice: 1 }),
      fulfilment: { kind: 'pickup', slot: early },
    })
    assert.equal(placed.statusCode, 201, placed.body)
  }
  assert.equal((await other.open(new Date(now)))[0]?.startsAt, at(3))
  const told = async (): Promise<number> =>
    (await rows(database.db, sql`select from events where kind = ${eventKinds.slotsChanged}`)).length
  const before = await told()
  await order()
  assert.deepEqual([await named(), await told()], [clock(3), before], 'one place is left')
  await order()
  assert.equal(await told(), before + 1, 'who takes the last place tells others')
  await isNamed(5)
  while ((await other.open(new Date(now)))[0]?.startsAt === at(3)) await sleep(20)

  now = begun + 30 * HOUR_MS
  assert.match(textOf(await home(shop)), /No time for pick-up or delivery is open just now\./)
  now = begun
  assert.equal((await shop.admin('DELETE', `/api/slot/${shop.delivery}`)).statusCode, 204)
  const text = textOf(await home(shop))
  assert.match(text, pickUp)
  assert.doesNotMatch(text, /Delivery to/, 'nothing is said of what is not offered')
})

test('while no times could be read, home says nothing of them, and names them as soon as they are known', {
  skip: withoutPages,
}, async () => {
  const [here, gone] = [await testDb(), await testDb()]
  await gone.close()
  let isAway = true
  const nextSlots = new NextSlots({
    get db() {
      return isAway ? gone.db : here.db
    },
    answers: here.answers,
  })
  const { deps, ...options } = await withPages(() => Date.now())
  await using shop = await shopWithOrders({
    ...options,
    open: async () => here,
    deps: { ...deps, nextSlots },
  })
  const text = textOf(await home(shop))
  assert.doesNotMatch(text, /No time for pick-up|Pick-up at|Delivery to/)
  assert.match(text, /Snapper/)
  assert.equal((await shop.app.inject('/api/slot/next')).statusCode, 503)
  isAway = false
  nextSlots.clear()
  assert.match(textOf(await home(shop)), /Pick-up at/)
})

test('a shop without products, boxes and times says so, and shows no empty shelf', {
  skip: withoutPages,
}, async () => {
  await using shop = await testShop(await withPages(() => Date.now()))
  const html = await home(shop)
  assert.ok(!html.includes('id="freshest"'))
  const text = textOf(html)
  assert.match(text, /No time for pick-up or delivery is open just now\./)
  assert.match(text, /Nothing is on the slab right now\./)
  assert.match(text, /No categories are open today\./)
  assert.doesNotMatch(text, /See this box’s journey/, 'there is no box that it could lead to')
})
