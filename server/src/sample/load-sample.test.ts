import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readBoxPage } from '@befaqt/domain/api/endpoints/boxes'
import { coldChainMark } from '@befaqt/domain/cold-chain'
import { DAY_MS } from '@befaqt/domain/durations'
import { instantOf } from '@befaqt/domain/market-time'
import { excursions } from '#server/db/schema/excursions.ts'
import { slots } from '#server/db/schema/orders.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { testShop } from '#server/testing/shop.ts'
import { loadSample } from './load-sample.ts'

/** A day with summer time in Sydney and one without, and the hours in which it changes. */
const starts = [
  '2027-03-10T00:30:00Z',
  '2027-07-01T22:00:00Z',
  '2027-04-03T16:00:00Z',
  '2027-10-02T16:10:00Z',
]

for (const start of starts)
  test(`a shop that starts at ${start} shows fish of that week, each of its own story`, async () => {
    const now = Date.parse(start)
    await using shop = await testShop({ deps: { now: () => new Date(now) } })
    await loadSample(shop.deps)
    const boxIDs = Array.from({ length: 8 }, (_, i) => `034557${9444 + i}`)
    const pages: BoxPageView[] = await Promise.all(
      boxIDs.map(async (boxID) => (await shop.app.inject(urlOf(readBoxPage, { params: { boxID } }))).json()),
    )
    for (const { box, figures } of pages) {
      const caught = instantOf(box.catchProv?.time ?? '', 'Australia/Sydney') ?? 0
      const last = Date.parse(figures.timeLeft?.lastReadingAt ?? '')
      assert.ok(now - caught < 7 * DAY_MS && caught < last && last <= now, `${box.boxID}: ${last}`)
    }
    const newest = pages.map(({ figures }) => Date.parse(figures.timeLeft?.lastReadingAt ?? ''))
    assert.ok(now - Math.max(...newest) < DAY_MS)
    const marks = pages.map(({ figures: { coldChain } }) => coldChain && coldChainMark(coldChain))
    for (const mark of ['cold', 'warmed', 'silent'] as const) assert.ok(marks.includes(mark), mark)
    assert.equal(pages.filter(({ stage }) => stage === 'at sea').length, 1)
    assert.equal(pages.filter(({ figures }) => figures.pastItsBest).length, 1)
    assert.ok(pages.every(({ sample }) => sample))
    await watchBoxes(shop.deps)
    const found = await shop.deps.db.select().from(excursions)
    assert.deepEqual(found.map(({ closedAt }) => closedAt !== null).sort(), [false, true, true])
    assert.ok(found.every(({ since, closedAt }) => since < (closedAt ?? shop.deps.now())))
    const open = (await shop.deps.db.select().from(slots)).filter(({ cutOffAt }) => cutOffAt.getTime() > now)
    assert.deepEqual([...new Set(open.map(({ kind }) => kind))].sort(), ['delivery', 'pickup'])
  })
