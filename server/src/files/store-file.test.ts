import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendRecords } from '#server/boxes/records/add-records.ts'
import { categories, productImages, products } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { addBox } from '#server/testing/anchoring.ts'
import { jpeg, storedPaths, storePicture } from '#server/testing/files.ts'
import { testShop } from '#server/testing/shop.ts'
import { removeUnused } from './store-file.ts'

test('an image used by a category, a product or a record stays; an unused one is removed', async () => {
  await using shop = await testShop()
  const { db } = shop.deps
  const store = async (shade: number): Promise<string> =>
    (await storePicture(shop.deps, { bytes: await jpeg(shade), width: 64, height: 48 })).path
  const [ofCategory, ofProduct, ofRecord, ofNothing] = [
    await store(10),
    await store(20),
    await store(30),
    await store(40),
  ]
  await db
    .insert(categories)
    .values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1', imagePath: ofCategory })
  await db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c', priceCents: 100 })
  await db.insert(productImages).values({ productId: 'p', position: 0, path: ofProduct, alt: '' })
  await addBox(db, 'box')
  const data = { species: 'Snapper', img: ofRecord }
  await db.transaction((tx) =>
    appendRecords(tx, 'box', [{ kind: 'catch', at: '2026-11-18 05:10:00', by: 'T-1', data }]),
  )
  for (const path of [ofCategory, ofProduct, ofRecord, ofNothing, ofNothing]) await removeUnused(db, path)
  await runDueJobs(db, fileJobs(shop.deps), shop.deps.log, new AbortController().signal)
  const left = [ofCategory, ofProduct, ofRecord].sort()
  assert.deepEqual(await storedPaths(shop), { onDisk: left, inDatabase: left })
})
