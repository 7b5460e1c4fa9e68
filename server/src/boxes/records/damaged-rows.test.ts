import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { chainHealth } from '#server/anchoring/ledger-health.ts'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { collectAt } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { NOW, readingAt, shopWithBoxes } from '#server/testing/readings.ts'

const IDS = ['BOX-1', 'BOX-2', 'BOX-3']
const HUGE = 2_147_483_647

for (const [name, open] of testDatabases) {
  test(`${name}: a box whose count shrank or is huge does not keep the others from being anchored`, async () => {
    await using shop = await shopWithBoxes(IDS, { open })
    const { db } = shop.deps
    const grow = async (i: number): Promise<void> => {
      const taken = await ingestReadings(shop.deps, [{ input: readingAt(i, { box: 'BOX-1' }) }])
      assert.deepEqual(taken, [['accepted']])
    }
    await ingestReadings(shop.deps, [{ input: readingAt(0, { box: 'BOX-2' }) }])
    assert.equal((await collectAt(db, NOW))?.records, 5)
    await db.update(boxes).set({ count: 1 }).where(eq(boxes.id, 'BOX-2'))
    await grow(0)
    assert.equal((await collectAt(db, NOW))?.records, 2, 'two of BOX-1, and none less for BOX-2')
    await db.update(boxes).set({ count: HUGE }).where(sql`${boxes.id} <> 'BOX-1'`)
    await grow(1)
    const anchor = await collectAt(db, NOW)
    assert.ok(anchor && anchor.records < HUGE)
    await db.update(boxes).set({ count: HUGE, head: 'no hash' }).where(sql`${boxes.id} <> 'BOX-1'`)
    await rows(db, sql`delete from anchor_leaves`)
    assert.equal((await chainHealth(shop.deps)).pendingRecords, HUGE)
    await grow(2)
    assert.ok(await collectAt(db, NOW))
  })

  test(`${name}: a box with invalid times is listed with the others, and hides no delay of theirs`, async () => {
    await using shop = await shopWithBoxes(IDS, { open })
    const { db } = shop.deps
    await ingestReadings(
      shop.deps,
      IDS.map((box) => ({ input: readingAt(0, { box }) })),
    )
    await rows(
      db,
      sql`update records set recorded_at = ${NOW.toISOString()}::timestamptz - interval '1 hour'`,
    )
    for (const damaged of ['infinity', '-infinity', '0044-03-15 BC', '290000-01-01']) {
      const time = sql`${damaged}::timestamptz`
      await rows(
        db,
        sql`update boxes set caught_at = ${time}, silent_after = ${time}, created_at = ${time}, updated_at = ${time}
            where id = 'BOX-2'`,
      )
      if (damaged.endsWith('infinity'))
        await rows(db, sql`update records set recorded_at = ${time} where box_id = 'BOX-2'`)
      for (const url of ['/api/box', '/api/manage/box']) {
        const list = await shop.admin('GET', url)
        assert.equal(list.statusCode, 200, list.body)
        const shown = list.json().rows.map(({ boxID }: { boxID: string }) => boxID)
        assert.deepEqual(shown.sort(), IDS, `${url} ${damaged}`)
        assert.equal(
          list.json().rows.find(({ boxID }: { boxID: string }) => boxID === 'BOX-2').caughtAt,
          null,
        )
      }
      assert.equal((await shop.admin('GET', '/api/manage/attention')).statusCode, 200)
      assert.equal((await chainHealth({ ...shop.deps, now: () => NOW })).lagS, 3_600, damaged)
    }
  })

  test(`${name}: a box with damaged JSON is in the managers' lists, and the catalogue shows the others`, async () => {
    await using shop = await shopWithBoxes(IDS, { open })
    const { db } = shop.deps
    await ingestReadings(
      shop.deps,
      IDS.map((box) => ({ input: readingAt(0, { box }) })),
    )
    await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
    for (const box of IDS) {
      await db.insert(products).values({ id: box, title: box, categoryId: 'c' })
      await db.insert(productBoxes).values({ productId: box, boxId: box, unit: 'kg' })
    }
    for (const damaged of ['{"kind": 1}', '"text"', '[7]', 'null']) {
      await rows(
        db,
        sql`update boxes set alerts = ${damaged}::jsonb, summary = ${damaged}::jsonb where id = 'BOX-2'`,
      )
      const list = await shop.admin('GET', '/api/manage/box')
      assert.equal(list.statusCode, 200, list.body)
      assert.equal(list.json().total, 3)
      const ofBox = list.json().rows.find(({ boxID }: { boxID: string }) => boxID === 'BOX-2')
      assert.match(ofBox.alerts[0].words, /can’t be read/)
      const flagged = await shop.admin('GET', '/api/manage/box?stage=alerts')
      assert.deepEqual(
        flagged.json().rows.map(({ boxID }: { boxID: string }) => boxID),
        ['BOX-2'],
      )
      const attention = await shop.admin('GET', '/api/manage/attention')
      assert.equal(attention.statusCode, 200, attention.body)
      shop.deps.catalogue.clear()
      const { products: sold } = await shop.deps.catalogue.snapshot()
      assert.deepEqual(
        sold.map(({ _id, box }) => [_id, box?.boxID]),
        [
          ['BOX-1', 'BOX-1'],
          ['BOX-2', undefined],
          ['BOX-3', 'BOX-3'],
        ],
      )
    }
  })
}
