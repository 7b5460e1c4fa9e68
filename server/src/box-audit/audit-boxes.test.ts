import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { rows } from '#server/db/client.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { collectAt } from '#server/testing/anchoring.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { auditBoxes, auditSampleJob, rebuild } from './audit-boxes.ts'

const WARM = [9, 9, 9, 9, 9, 2, 2].map((temperature, i) => readingAt(i, { temperature }))

/** A shop of three boxes: of one, which was warm, a product is sold, and an anchor was collected. */
async function auditedShop(open: () => Promise<TestDb>) {
  const shop = await shopWithBoxes(['BOX-1', 'BOX-2', 'BOX-3'], { open })
  const { deps, admin } = shop
  await deps.db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await deps.db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
  await admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'p', quantity: 9 }])
  const { txHash: _, ...caught } = { ...sampleBox().catchProv, species: 'Snapper' }
  await admin('POST', '/api/box/BOX-1/catch', caught)
  await admin('POST', '/api/tracking', { readings: WARM })
  await watchBoxes(deps)
  await collectAt(deps.db, NOW)
  const audit = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { boxID, of } of auditBoxes(deps)) found.push(`${boxID} ${of}`)
    return found
  }
  return { ...shop, audit, cardOf: async () => (await shop.app.inject('/api/product/p')).json().box }
}

for (const [name, open] of testDatabases) {
  test(`${name}: what a row shows and its records don't give is named, and made anew where that is possible`, async () => {
    await using shop = await auditedShop(open)
    const { db } = shop.deps
    assert.deepEqual(await shop.audit(), [])
    const right = await shop.cardOf()
    await rows(
      db,
      sql`update boxes set summary = jsonb_set(summary, '{coldChain}', '"held"') where id = 'BOX-1'`,
    )
    await rows(db, sql`update boxes set trader = 'Another' where id = 'BOX-3'`)
    await rows(db, sql`update excursions set withdrawn_at = now()`)
    await rows(
      db,
      sql`insert into box_losses (box_id, product_id, amount, unit, reason, who)
          values ('BOX-2', 'p', 500, 'kg', 'Dropped', 'user:admin')`,
    )
    const all = ['BOX-1 figures', 'BOX-1 excursions', 'BOX-2 sales', 'BOX-3 figures']
    assert.deepEqual(await shop.audit(), all)
    shop.deps.catalogue.clear()
    assert.notDeepEqual(await shop.cardOf(), right, 'a card shows what the row says')
    for await (const difference of auditBoxes(shop.deps)) await rebuild(shop.deps, difference)
    await watchBoxes(shop.deps)
    assert.deepEqual(await shop.audit(), ['BOX-2 sales'])
    assert.deepEqual(await shop.cardOf(), right)
  })

  test(`${name}: what is left of a weighed box is counted by its records, and anew where a row says otherwise`, async () => {
    await using shop = await auditedShop(open)
    const { db } = shop.deps
    const left = async () => rows(db, sql`select grams_left as left from boxes where id = 'BOX-1'`)
    await shop.admin('POST', '/api/box/BOX-1/weight', { of: 'box', grams: 8_000 })
    await shop.admin('POST', '/api/box/BOX-1/loss', { product_id: 'p', amount: 500, reason: 'Dropped' })
    assert.deepEqual([await left(), await shop.audit()], [[{ left: 7_500 }], []])
    await rows(db, sql`update boxes set grams_left = case id when 'BOX-1' then 9000 else 1 end`)
    assert.deepEqual(
      await shop.audit(),
      ['BOX-1', 'BOX-2', 'BOX-3'].map((id) => `${id} what is left`),
    )
    for await (const difference of auditBoxes(shop.deps)) await rebuild(shop.deps, difference)
    assert.deepEqual([await left(), await shop.audit()], [[{ left: 7_500 }], []])
  })

  test(`${name}: grams that no record states are not made up for by pieces that no loss states`, async () => {
    await using shop = await auditedShop(open)
    const { audit, deps } = shop
    await shop.admin('POST', '/api/box/BOX-1/loss', { product_id: 'p', amount: 500, reason: 'Dropped' })
    assert.deepEqual(await audit(), [])
    await rows(deps.db, sql`update box_losses set unit = 'bag'`)
    assert.deepEqual(await audit(), ['BOX-1 sales'])
  })

  test(`${name}: a node of the box map that is gone or another is named, and so is a record that was exchanged`, async () => {
    await using shop = await auditedShop(open)
    const { db } = shop.deps
    const root = sql`(select decode(root, 'hex') from anchors order by index desc limit 1)`
    await rows(db, sql`create table kept as select * from map_nodes where value = ${root}`)
    await rows(db, sql`delete from map_nodes where value = ${root}`)
    assert.deepEqual(await shop.audit(), ['BOX-1 box map', 'BOX-2 box map', 'BOX-3 box map'])
    await rows(db, sql`insert into map_nodes select * from kept`)
    assert.deepEqual(await shop.audit(), [])
    await rows(
      db,
      sql`update records set record_hash = (select record_hash from records where box_id = 'BOX-3' and seq = 1)
          where box_id = 'BOX-2' and seq = 1`,
    )
    assert.ok((await shop.audit()).includes('BOX-2 box map'))
  })

  test(`${name}: each night a sample is compared, from any box on and round the end, and what is wrong is logged and mended`, async () => {
    await using shop = await auditedShop(open)
    const { deps } = shop
    const logged: { level: number; box: string; of: string }[] = []
    const log = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) })
    const right = await shop.cardOf()
    await rows(deps.db, sql`update boxes set trader = 'Another' where id in ('BOX-1', 'BOX-3')`)
    await rows(
      deps.db,
      sql`update boxes set summary = jsonb_set(summary, '{coldChain}', '"held"') where id = 'BOX-1'`,
    )
    await auditSampleJob({ ...deps, log }, () => 0.9)({}, new AbortController().signal)
    assert.deepEqual(
      logged.map(({ level, box, of }) => [level, box, of]),
      [
        [50, 'BOX-3', 'figures'],
        [50, 'BOX-1', 'figures'],
      ],
    )
    assert.deepEqual([await shop.audit(), await shop.cardOf()], [[], right])
  })
}
