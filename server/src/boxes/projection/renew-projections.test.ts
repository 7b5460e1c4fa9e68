import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { testDatabases } from '#server/testing/database.ts'
import { readingAt, shopWithBoxes } from '#server/testing/readings.ts'
import { RENEW_QUEUE, renewProjectionsJob, scheduleRenewal } from './projection.ts'

for (const [name, open] of testDatabases)
  test(`${name}: boxes that an older version projected are projected anew, once, and their cards change`, async () => {
    await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open })
    const { deps, admin } = shop
    const { db } = deps
    await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
    await db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
    await admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'p', quantity: 1 }])
    const { txHash: _, ...caught } = { ...sampleBox().catchProv, species: 'Snapper' }
    await admin('POST', '/api/box/BOX-1/catch', caught)
    await admin('POST', '/api/tracking', { readings: [readingAt(0), readingAt(1, { temperature: 9 })] })
    const rowOf = async (id: string) => (await db.select().from(boxes).where(eq(boxes.id, id)))[0]
    const cardOf = async () => (await shop.app.inject('/api/product/p')).json().box
    const scheduled = async (): Promise<number> =>
      (await rows(db, sql`select id from jobs where queue = ${RENEW_QUEUE}`)).length
    const [row, card] = [await rowOf('BOX-1'), await cardOf()]
    assert.deepEqual([card.coldChain, typeof card.bestBy], ['warmed', 'string'])
    const before = await rows(db, sql`select count(*)::int as n from events where kind = 'catalogue.changed'`)
    await renewProjectionsJob(deps)({}, new AbortController().signal)
    assert.deepEqual(
      [
        await rowOf('BOX-1'),
        await rows(db, sql`select count(*)::int as n from events where kind = 'catalogue.changed'`),
      ],
      [row, before],
    )

    const older = {
      freshnessIndex: 0.4,
      daysLeft: { days: 9, low: 8, high: 10 },
      catchPlace: 'Eden',
      catchTime: null,
    }
    await rows(
      db,
      sql`update boxes set summary = ${JSON.stringify(older)}::jsonb,
            projection = jsonb_set(projection, '{formulas}', '1') where id = 'BOX-1'`,
    )
    await rows(db, sql`update boxes set projection = null where id = 'BOX-2'`)
    deps.catalogue.clear()
    const shownMeanwhile = await cardOf()
    assert.deepEqual(
      [shownMeanwhile.catchPlace, shownMeanwhile.bestBy],
      ['Eden', null],
      'what is there is shown',
    )
    await scheduleRenewal(db)
    await scheduleRenewal(db)
    assert.equal(await scheduled(), 1)
    await renewProjectionsJob(deps)({}, new AbortController().signal)
    const renewed = await rowOf('BOX-1')
    assert.deepEqual([renewed?.summary, renewed?.projection], [row?.summary, row?.projection])
    assert.equal((await rowOf('BOX-2'))?.projection?.formulas, row?.projection?.formulas)
    assert.deepEqual(await cardOf(), card)
    const version = await rows(
      db,
      sql`select count(*)::int as n from events where kind = 'catalogue.changed'`,
    )
    await renewProjectionsJob(deps)({}, new AbortController().signal)
    assert.deepEqual(
      await rows(db, sql`select count(*)::int as n from events where kind = 'catalogue.changed'`),
      version,
      'nothing is left to do',
    )
  })

test('a box that can not be projected keeps what it has, and those behind it are projected', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'])
  const { db } = shop.deps
  await rows(
    db,
    sql`create function fail() returns trigger language plpgsql as $$ begin raise 'damaged'; end $$;`,
  )
  await rows(db, sql`update boxes set projection = null`)
  await rows(
    db,
    sql`create trigger fail before update on boxes for each row when (new.id = 'BOX-1') execute function fail()`,
  )
  await renewProjectionsJob(shop.deps)({}, new AbortController().signal)
  const found = await db.select({ id: boxes.id, projection: boxes.projection }).from(boxes).orderBy(boxes.id)
  assert.deepEqual(
    found.map(({ projection }) => projection === null),
    [true, false],
  )
})
