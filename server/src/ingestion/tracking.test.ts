import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { cardMetrics } from '@befaqt/domain/catalogue-steps'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { summaryOf } from '#server/boxes/projection/box-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import { historyOf, keyFor, kindsOf, NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import type { TestShop } from '#server/testing/shop.ts'

const send = (shop: TestShop, key: string, readings: unknown, authorization = `Bearer ${key}`) =>
  shop.app.inject({ method: 'POST', url: '/api/tracking', payload: { readings }, headers: { authorization } })

for (const [name, open] of testDatabases) {
  test(`${name}: valid readings are stored, known ones counted, invalid ones reported by index, path and reason`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open })
    const key = await keyFor(shop, 'record:write')
    const readings = [
      readingAt(0),
      readingAt(1, { latitude: 200, temperature: 900 }),
      readingAt(1, { box: 'BOX-2' }),
      readingAt(0),
      readingAt(2, { box: 'NOPE' }),
      readingAt(3, { id: 'r-3' }),
    ]
    const answer = await send(shop, key, readings)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json(), {
      accepted: 3,
      duplicates: 1,
      refused: [
        { index: 1, path: 'latitude', message: 'must be from -90 to 90' },
        { index: 1, path: 'temperature', message: 'must be from -60 to 60' },
        { index: 4, path: 'box', message: 'There is no such box.' },
      ],
    })
    const history = await historyOf(shop.deps.db, 'BOX-1')
    const { box: _, ...data } = readingAt(0)
    assert.deepEqual(
      history.slice(1).map(({ kind, at, by }) => [kind, at, by]),
      [
        ['tracking', data.time, 'L-1'],
        ['tracking', readingAt(3).time, 'L-1'],
        ['freshness', '2026-11-20 11:00:00', 'befaqt'],
      ],
    )
    assert.deepEqual(history[1]?.data, { ...data, sent: 'key' }, 'as it came, and how')
    assert.equal(history[3]?.data.freshnessIndex, 0.020833, '2 °C for half an hour: 1 of 48 degree-hours')
    assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-2'), ['registration', 'tracking', 'freshness'])
    assert.deepEqual(shop.deps.ingestion.counts, { accepted: 3, duplicate: 1, refused: 2 })
  })

  test(`${name}: two senders with the same boxes in opposite order both have their readings stored, once`, async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `BOX-${i}`)
    await using shop = await shopWithBoxes(ids, { open })
    const key = await keyFor(shop, 'record:write')
    const batch = (from: number) =>
      ids.flatMap((box) => [readingAt(from, { box }), readingAt(from + 1, { box }), readingAt(50, { box })])
    const answers = await Promise.all(
      [0, 2, 4, 6, 8, 10].map((from, i) => send(shop, key, i % 2 ? batch(from) : batch(from).reverse())),
    )
    const sums = answers.map((answer) => answer.json())
    assert.equal(
      sums.reduce((sum, { accepted }) => sum + accepted, 0),
      12 * 13,
    )
    assert.equal(
      sums.reduce((sum, { duplicates }) => sum + duplicates, 0),
      12 * 5,
    )
    for (const id of ids) {
      const kinds = await kindsOf(shop.deps.db, id)
      assert.equal(kinds.filter((kind) => kind === 'tracking').length, 13)
      assert.equal(kinds.filter((kind) => kind === 'freshness').length, 6, 'one for each batch')
    }
  })
}

test('the same submission again adds nothing: by its id, or by logger and instant, also after the seal', async () => {
  await using shop = await shopWithBoxes()
  const key = await keyFor(shop, 'record:write')
  const first = [readingAt(0), readingAt(1, { id: 'a' }), readingAt(2)]
  assert.equal((await send(shop, key, first)).json().accepted, 3)
  const before = await kindsOf(shop.deps.db, 'BOX-1')
  const again = [
    readingAt(0, { time: '2026-11-19 21:00:00', temperature: 30 }),
    readingAt(5, { id: 'a', temperature: 9 }),
    readingAt(2),
  ]
  assert.deepEqual((await send(shop, key, again)).json(), { accepted: 0, duplicates: 3, refused: [] })
  await shop.admin('POST', '/api/box/BOX-1/seal', {})
  const late = await send(shop, key, [readingAt(2), readingAt(7)])
  assert.deepEqual(late.json(), {
    accepted: 0,
    duplicates: 1,
    refused: [{ index: 1, path: 'box', message: 'This box is sealed: nothing can be added to it.' }],
  })
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), [...before, 'seal'])
  const others = [
    readingAt(0, { iotID: 'L-2' }),
    readingAt(0, { box: 'BOX-2' }),
    readingAt(1, { box: 'BOX-2', id: 'a' }),
  ]
  assert.deepEqual((await send(shop, key, others.slice(1))).json().accepted, 2)
})

test('a reading imported with a whole Box is recognized when its logger sends it, too', async () => {
  await using shop = await shopWithBoxes([])
  const box = sampleBox()
  const [reading] = box.iotResult?.iotTracking ?? []
  assert.ok(reading !== undefined && box.iotResult !== null)
  box.iotResult.iotTracking.push(reading)
  assert.equal(
    (await shop.admin('POST', '/api/box', box)).statusCode,
    201,
    'two alike in one Box are both kept',
  )
  const { txHash: _, ...sent } = { ...reading, box: box.boxID }
  const answer = await shop.admin('POST', '/api/tracking', { readings: [sent] })
  assert.deepEqual(answer.json(), { accepted: 0, duplicates: 1, refused: [] })
})

test('a key writes to its boxes only, and needs the right to', async () => {
  await using shop = await shopWithBoxes()
  const key = await keyFor(shop, 'record:write', ['BOX-2'])
  const answer = await send(shop, key, [readingAt(0), readingAt(0, { box: 'BOX-2' })])
  assert.deepEqual(answer.json(), {
    accepted: 1,
    duplicates: 0,
    refused: [{ index: 0, path: 'box', message: 'This key may not touch this box.' }],
  })
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration'])
  assert.equal((await send(shop, await keyFor(shop, 'box:write'), [readingAt(1)])).statusCode, 403)
  assert.equal((await send(shop, '', [readingAt(1)], 'Bearer befaqt_x')).statusCode, 401)
  assert.equal((await shop.admin('POST', '/api/tracking', { readings: [readingAt(1)] })).json().accepted, 1)
})

test('an invalid reading is rejected with the path of each bad field, and nothing of it is written', async () => {
  await using shop = await shopWithBoxes()
  const future = new Date(NOW.getTime() + 6 * 60_000).toISOString()
  const bad: [path: string, reading: unknown][] = [
    ['', null],
    ['', 'reading'],
    ['', [readingAt(0)]],
    ['temperature', { ...readingAt(0), temperature: '2' }],
    ['temperature', { ...readingAt(0), temperature: null }],
    ['temperature', { ...readingAt(0), temperature: 900 }],
    ['temperature', { ...readingAt(0), temperature: -300 }],
    ['latitude', { ...readingAt(0), latitude: 200 }],
    ['longitude', { ...readingAt(0), longitude: -181 }],
    ['time', { ...readingAt(0), time: future }],
    ['time', { ...readingAt(0), time: '2026-02-30 10:00:00' }],
    ['time', { ...readingAt(0), time: '9999-12-31T23:59:59Z' }],
    ['time', { ...readingAt(0), time: 1763000000 }],
    ['iotID', { ...readingAt(0), iotID: '' }],
    ['iotID', { ...readingAt(0), iotID: 'a\nb' }],
    ['id', { ...readingAt(0), id: '' }],
    ['id', { ...readingAt(0), id: 'x'.repeat(129) }],
    ['box', { ...readingAt(0), box: '../x' }],
    ['box', { ...readingAt(0), box: undefined }],
    ['txHash', { ...readingAt(0), txHash: null }],
    ['seq', { ...readingAt(0), seq: 1 }],
  ]
  const answer = await shop.admin('POST', '/api/tracking', { readings: bad.map(([, reading]) => reading) })
  assert.equal(answer.statusCode, 200, answer.body)
  const { accepted, duplicates, refused } = answer.json()
  assert.deepEqual([accepted, duplicates], [0, 0])
  assert.deepEqual(
    refused.map(({ index, path }: { index: number; path: string }) => [index, path]),
    bad.map(([path], index) => [index, path]),
  )
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration'])
  const hostile = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, i]))
  const told = (await shop.admin('POST', '/api/tracking', { readings: [hostile] })).json().refused
  assert.equal(told.length, 10)
})

test('an invalid batch is rejected as a whole', async () => {
  await using shop = await shopWithBoxes()
  const post = (payload: string | object) =>
    shop.admin('POST', '/api/tracking', payload, { 'content-type': 'application/json' })
  const many = Array.from({ length: 1_001 }, (_, i) => readingAt(i))
  for (const [path, payload] of [
    ['readings', {}],
    ['readings', { readings: 'all' }],
    ['readings', { readings: many }],
    ['at', { readings: [], at: 1 }],
    ['', []],
  ] as const) {
    const answer = await post(payload)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().error.fields[0].path, path)
  }
  for (const text of [
    '{"readings":[{"temperature":NaN}]}',
    '{"readings":[{"temperature":1e999}]}',
    '{"readings":[',
  ])
    assert.equal((await post(text)).statusCode, 400)
  assert.equal((await post(JSON.stringify({ readings: ['x'.repeat(10_000_000)] }))).statusCode, 413)
  assert.deepEqual((await post({ readings: [] })).json(), { accepted: 0, duplicates: 0, refused: [] })
  assert.deepEqual(await kindsOf(shop.deps.db, 'BOX-1'), ['registration'])
  assert.equal(
    (await post({ readings: many.slice(0, 1_000) })).json().accepted,
    85,
    'the others are in the future',
  )
})

test('metrics in lists cover the whole history, also when others wrote in between', async () => {
  await using shop = await shopWithBoxes([])
  const { db, siteFile } = shop.deps
  const box = sampleBox()
  await shop.admin('POST', '/api/box', box)
  const add = async (i: number, temperature: number) => {
    const readings = [
      readingAt(i, { box: box.boxID, temperature }),
      readingAt(i + 1, { box: box.boxID, temperature }),
    ]
    assert.equal((await shop.admin('POST', '/api/tracking', { readings })).json().accepted, 2)
    const { box: read, row } = await readWholeBox(db, box.boxID, siteFile.market)
    const { species, trader, stage, alerts, silentAfter, caughtAt, summary } = row
    assert.deepEqual(
      { species, trader, stage, alerts, silentAfter, caughtAt, summary },
      await summaryOf(read, siteFile.market),
    )
    return read
  }
  await add(0, 9)
  const warm = await add(2, 9)
  assert.equal(warm.freshness.length, 3)
  const data = { ...box.iotResult?.iotTracking[0], temperature: 20 }
  const correction = { seq: 3, reason: 'Misread', data }
  assert.equal((await shop.admin('POST', `/api/box/${box.boxID}/correction`, correction)).statusCode, 201)
  const corrected = await add(4, 9)
  assert.equal(corrected.iotResult?.iotTracking[0]?.temperature, 20)
  await historyOf(db, box.boxID)
})

test('readings show at once on the box page, among the managed boxes with alerts, and on cards of what is on sale', async () => {
  await using shop = await shopWithBoxes()
  await shop.deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await shop.deps.db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
  await shop.admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'p', quantity: 1 }])
  const card = async () => (await shop.app.inject('/api/product/p')).json().box.freshnessIndex
  assert.equal(await card(), null)
  const warm = [0, 1, 2, 3, 4].map((i) => readingAt(i, { temperature: 12 }))
  await shop.admin('POST', '/api/tracking', { readings: warm })
  const page = (await shop.app.inject('/api/box/BOX-1/page')).json()
  assert.equal(page.box.iotResult.iotTracking.length, 5)
  assert.equal(page.records.length, 7)
  assert.equal(page.stage, 'at sea')
  await watchBoxes(shop.deps)
  const [managed] = (await shop.admin('GET', '/api/manage/box?stage=alerts')).json().rows
  assert.deepEqual([managed.boxID, managed.records, managed.pending], ['BOX-1', 7, 7])
  assert.match(managed.excursions[0].text, /^Above 5 °C for 30 minutes or longer, up to 12.0 °C/)
  assert.equal(await card(), 0.2, 'in the steps that cards show')
  assert.equal(page.figures.freshnessIndex, 0.166667, '12 °C for 40 minutes: 8 of 48 degree-hours')
})

test('readings invalidate the catalogue only when a card changes', async () => {
  await using shop = await shopWithBoxes()
  const { db, catalogue, siteFile } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
  await shop.admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'p', quantity: 1 }])
  const { txHash: _, ...caught } = { ...sampleBox().catchProv, time: '2026-11-19 20:00:00' }
  assert.equal((await shop.admin('POST', '/api/box/BOX-1/catch', caught)).statusCode, 201)
  let cleared = 0
  catalogue.onChange(() => cleared++)
  const card = async () => (await shop.app.inject('/api/product/p')).json().box
  const shown: unknown[] = [await card()]
  const raw = new Set<number | undefined>()
  for (let i = 0; i < 80; i++) {
    await shop.admin('POST', '/api/tracking', { readings: [readingAt(i, { temperature: 3 })] })
    const [row] = await db.select().from(boxes).where(eq(boxes.id, 'BOX-1'))
    raw.add(row?.summary?.freshnessIndex ?? undefined)
    const now = await card()
    assert.deepEqual(
      now,
      { ...cardMetrics(row?.summary ?? assert.fail(), siteFile.market.timeZone), boxID: 'BOX-1' },
      `reading ${i}`,
    )
    if (!isDeepStrictEqual(now, shown.at(-1))) shown.push(now)
  }
  assert.ok(raw.size > 70, 'the recorded index moves with every reading')
  assert.ok(shown.length > 5, 'ten tenths, some days')
  assert.equal(cleared, shown.length - 1, 'once for each change that a visitor could see')
  await shop.admin('POST', '/api/tracking', { readings: [readingAt(0, { box: 'BOX-2', temperature: 30 })] })
  const { fisher } = sampleBox()
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-3', fisher })
  await shop.admin('POST', '/api/box', sampleBox())
  await shop.admin('POST', '/api/box/BOX-1/seal', {})
  assert.equal(cleared, shown.length - 1, 'what is on no card, or changes none, clears nothing')
})
