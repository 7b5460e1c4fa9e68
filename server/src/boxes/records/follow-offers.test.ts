import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { weigh } from '@befaqt/provenance/balance'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { historyOf } from '#server/testing/readings.ts'
import { OFFER_QUEUE, offerConsumer, recordOffersJob } from './follow-offers.ts'

const silent = pino({ level: 'silent' })
const { fisher } = sampleBox()

/** A shop with an empty box; `followed` are the offers that were recorded since, when all events are followed. */
async function shopWithBox(options: Parameters<typeof shopWithOrders>[0] = {}) {
  const shop = await shopWithOrders(options)
  const { db } = shop.deps
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher })
  let seen = 0
  const follow = async (): Promise<void> => {
    while (await consume(db, offerConsumer, silent));
    await runDueJobs(db, { [OFFER_QUEUE]: recordOffersJob(shop.deps) }, silent, new AbortController().signal)
  }
  const followed = async () => {
    await follow()
    const all = (await historyOf(db, 'BOX-1')).filter(({ kind }) => kind === 'offer')
    const fresh = all.slice(seen)
    seen = all.length
    return fresh.map(({ data }) => data)
  }
  await follow()
  const did = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = await shop.admin(method, url, body)
    assert.ok(answer.statusCode < 300, answer.body)
  }
  return { ...shop, db, followed, did }
}

const link = (quantity: number) => [{ boxID: 'BOX-1', quantity }]

for (const [name, open] of testDatabases) {
  test(`${name}: what is put on sale from a box is recorded, with what it is called and its grams, and so is its end`, async () => {
    await using shop = await shopWithBox({ open })
    const { did, followed } = shop
    const snapper = { product: 'Snapper', linked: true, grams: 10_000 }
    await did('PUT', '/api/product/snapper/boxes', link(10))
    assert.deepEqual(await followed(), [snapper])
    await did('PUT', '/api/product/snapper/boxes', link(10))
    await shop.placed({ snapper: 1 })
    assert.deepEqual(await followed(), [], 'nothing is said twice')
    await did('PUT', '/api/product/snapper/boxes', link(12.5))
    assert.deepEqual(await followed(), [{ ...snapper, grams: 12_500 }])
    await did('PUT', '/api/box/BOX-1/products', [
      { product_id: 'snapper', quantity: 12.5 },
      { product_id: 'ice', quantity: 3 },
    ])
    assert.deepEqual(await followed(), [{ product: 'Ice', linked: true }], 'bags have no grams')
    await did('PATCH', '/api/product/snapper', { title: 'Pink Snapper' })
    assert.deepEqual(await followed(), [
      { product: 'Snapper', linked: false },
      { product: 'Pink Snapper', linked: true, grams: 12_500 },
    ])
    await did('PUT', '/api/box/BOX-1/products', [{ product_id: 'ice', quantity: 3 }])
    assert.deepEqual(await followed(), [{ product: 'Pink Snapper', linked: false }])
    const { balance, problems } = weigh({ records: (await historyOf(shop.db, 'BOX-1')) as never })
    assert.deepEqual([balance.offered, problems], [null, []])
  })

  test(`${name}: a product or its category that is off sale is not on sale from the box, nor is anything of a stopped box`, async () => {
    await using shop = await shopWithBox({ open })
    const { did, followed } = shop
    const [on, off] = [
      [{ product: 'Snapper', linked: true, grams: 10_000 }],
      [{ product: 'Snapper', linked: false }],
    ]
    await did('PUT', '/api/product/snapper/boxes', link(10))
    assert.deepEqual(await followed(), on)
    for (const [stop, start] of [
      [
        () => did('PATCH', '/api/product/snapper', { status: 'INACTIVE' }),
        () => did('PATCH', '/api/product/snapper', { status: 'ACTIVE' }),
      ],
      [
        () => did('PATCH', '/api/category/c', { status: 'INACTIVE' }),
        () => did('PATCH', '/api/category/c', { status: 'ACTIVE' }),
      ],
      [
        () => did('PUT', '/api/box/BOX-1/sale', { offSale: true, reason: 'Warm.' }),
        () => did('PUT', '/api/box/BOX-1/sale', { offSale: false }),
      ],
      [
        () => did('POST', '/api/box/BOX-1/recall', { reason: 'Warm.' }),
        () => did('POST', '/api/box/BOX-1/recall/withdrawal', { reason: 'No.' }),
      ],
    ] as const) {
      await stop()
      assert.deepEqual(await followed(), off, String(stop))
      await start()
      assert.deepEqual(await followed(), on, String(start))
    }
    await did('PATCH', '/api/product/snapper', { status: 'DISABLED' })
    await did('DELETE', '/api/product/snapper')
    assert.deepEqual(await followed(), off, 'both are one change by then')
  })

  test(`${name}: what changed while nobody followed is found by its rows; a sealed box ends with nothing on sale`, async () => {
    await using shop = await shopWithBox({ open })
    const { did, followed, db } = shop
    await did('PUT', '/api/product/snapper/boxes', link(10))
    await rows(db, sql`delete from events`)
    await rows(db, sql`delete from event_consumers`)
    assert.deepEqual(await followed(), [{ product: 'Snapper', linked: true, grams: 10_000 }])
    await did('POST', '/api/box/BOX-1/seal', { reason: 'Empty.' })
    assert.deepEqual(await followed(), [{ product: 'Snapper', linked: false }])
    assert.deepEqual((await historyOf(db, 'BOX-1')).at(-1)?.kind, 'seal')
    await did('PUT', '/api/product/snapper/boxes', link(12))
    assert.deepEqual(await followed(), [], 'its history has ended')
    const failed = await rows(db, sql`select 1 from jobs where last_error is not null`)
    assert.deepEqual(failed, [])
  })
}
