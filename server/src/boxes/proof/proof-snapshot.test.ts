import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { collectAnchor } from '#server/anchoring/collect-anchor.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { addBox, addRecords } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { proofBundle, treeCache } from './proof-bundle.ts'

const ledger = {
  locate: async () => ({ chainId: 1, contract: null, rpc: 'http://localhost/rpc', embedded: true }),
}

/** Collects an anchor and says that it is confirmed; the trees of all older ones go. */
async function anchorNow(db: Db): Promise<void> {
  const anchor = await collectAnchor(db, new Date(), 0)
  assert.ok(anchor)
  await db.update(anchors).set({ state: 'confirmed' }).where(eq(anchors.index, anchor.index))
  await rows(db, sql`delete from anchor_leaves where path is null and anchor_index < ${anchor.index}`)
}

for (const [name, open] of testDatabases) {
  test(`${name}: a bundle has records and anchors of one snapshot, although more are added meanwhile`, async () => {
    await using t = await open()
    await addBox(t.db, 'a')
    await addRecords(t.db, 'a', 1)
    await anchorNow(t.db)
    for (let after = 0; after < 8; after++) {
      const making = proofBundle({ db: t.db, ledger }, treeCache(), 'a')
      for (let i = 0; i < after; i++) await rows(t.db, sql`select 1`)
      await t.db.transaction(async (tx) => {
        await rows(tx, sql`lock table anchor_leaves in access exclusive mode`)
        await addRecords(tx, 'a', 1)
        await anchorNow(tx)
      })
      const bundle = JSON.parse(await making)
      const counts = bundle.anchors.map(({ leaf }: { leaf: { count: number } }) => leaf.count)
      assert.equal(Math.max(...counts), bundle.records.length, `begun ${after} statements before`)
    }
  })

  test(`${name}: the proof of an unchanged box uses the newer anchor when its first tree is removed meanwhile`, async () => {
    await using t = await open()
    for (const box of ['a', 'b']) {
      await addBox(t.db, box)
      await addRecords(t.db, box, 1)
    }
    await anchorNow(t.db)
    await addRecords(t.db, 'b', 1)
    await anchorNow(t.db)
    const trees = treeCache()
    const get = trees.get.bind(trees)
    let landed = false
    trees.get = async (key, make, worthKeeping) => {
      if (!landed) {
        landed = true
        await addRecords(t.db, 'b', 1)
        await anchorNow(t.db)
      }
      return get(key, make, worthKeeping)
    }
    const bundle = JSON.parse(await proofBundle({ db: t.db, ledger }, trees, 'a'))
    assert.deepEqual(
      bundle.anchors.map(({ index }: { index: number }) => index),
      [0, 2],
    )
    assert.equal(bundle.anchors[1].path.length, 1)
  })
}
