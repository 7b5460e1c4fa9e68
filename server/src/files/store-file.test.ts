import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { appendRecords } from '#server/boxes/records/add-records.ts'
import { type Db, rows } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, productImages, products } from '#server/db/schema/shop.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { addBox } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { jpeg, storedPaths, storePicture } from '#server/testing/files.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { testShop } from '#server/testing/shop.ts'
import { removeUnused } from './store-file.ts'

for (const [name, open] of testDatabases)
  test(`${name}: an image used by a category, a product or a record stays; an unused one is removed`, async () => {
    await using shop = await testShop({ open })
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

const [A, B] = [`${'a1'.repeat(16)}.webp`, `${'b2'.repeat(16)}.csv`]

for (const [name, open] of testDatabases)
  test(`${name}: files are found in a text by their names, wherever they stand`, async () => {
    await using database = await open()
    const named = async (text: string | null) =>
      (await rows<{ names: string[] | null }>(database.db, sql`select file_names(${text}::text) as names`))[0]
        ?.names
    assert.deepEqual(await named(`{"image":["${B}","/api/file/${A}?w=480","https://shop.example/${B}"]}`), [
      A,
      B,
    ])
    assert.deepEqual(await named(`0${A}${A}and more`), [A], 'among other digits and letters')
    assert.deepEqual(await named(`{"txHash":"0x${'a1'.repeat(32)}","img":"fish.webp"}`), [])
    assert.equal(await named(null), null, 'a record that was withheld')
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: whether a picture is still used is known without reading the records`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    await addBox(db, 'box')
    await db.execute(sql`insert into records (box_id, seq, kind, body, record_hash)
      select 'box', n, case when n % 100 = 0 then 'catch' else 'tracking' end,
        '{"img":"' || md5(n::text) || '.webp"}', n::text from generate_series(1, 20000) n`)
    await db.execute(sql`analyze records`)
    const { path } = await storePicture(shop.deps, { bytes: await jpeg(50), width: 64, height: 48 })
    await db.transaction(async (tx) => {
      const read = await rowsRead(tx, ['records'], () => removeUnused(tx as Db, path))
      assert.deepEqual(read, { records: 0 })
    })
    assert.deepEqual((await storedPaths(shop)).inDatabase, [])
    const odd = {
      path: 'fish.webp',
      mediaType: 'image/webp',
      bytes: 1,
      width: 1,
      height: 1,
      objectKey: 'fish',
    }
    await db.insert(files).values(odd)
    await removeUnused(db, odd.path)
    assert.deepEqual(
      (await storedPaths(shop)).inDatabase,
      [odd.path],
      'what has another name is not looked for: it stays',
    )
  })
