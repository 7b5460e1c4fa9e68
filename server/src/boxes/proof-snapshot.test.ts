import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBox } from '@befaqt/provenance/box-map'
import { eq, sql } from 'drizzle-orm'
import { pruneNodes } from '#server/anchoring/box-map.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { addBox, addRecords, collectAt, rowsAlone } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { proofBundle } from './proof-bundle.ts'

const ledger = {
  locate: async () => ({ chainId: 1, contract: null, rpc: 'http://localhost/rpc', embedded: true }),
}

/** Collects an anchor and says that it is confirmed; the maps of all older ones go. */
async function anchorNow(db: Db): Promise<void> {
  const anchor = await collectAt(db, new Date())
  assert.ok(anchor)
  await db.update(anchors).set({ state: 'confirmed' }).where(eq(anchors.index, anchor.index))
  await db.transaction((tx) => pruneNodes(tx, anchor.index))
}

for (const [name, open] of testDatabases) {
  test(`${name}: a bundle has records and anchors of one snapshot, although more are added meanwhile`, async () => {
    await using t = await open()
    await addBox(t.db, 'a')
    await addRecords(t.db, 'a', 1)
    await anchorNow(t.db)
    for (let after = 0; after < 8; after++) {
      const making = proofBundle({ ...rowsAlone(t.db), ledger }, 'a')
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

  test(`${name}: the proof of an unchanged box is whole although the map that it began with goes meanwhile`, async () => {
    await using t = await open()
    for (const box of ['a', 'b']) {
      await addBox(t.db, box)
      await addRecords(t.db, box, 1)
    }
    await anchorNow(t.db)
    for (let after = 0; after < 8; after++) {
      await addRecords(t.db, 'b', 1)
      await anchorNow(t.db)
      const making = proofBundle({ ...rowsAlone(t.db), ledger }, 'a')
      for (let i = 0; i < after; i++) await rows(t.db, sql`select 1`)
      await addRecords(t.db, 'b', 1)
      await anchorNow(t.db)
      const { anchors } = JSON.parse(await making)
      assert.equal(anchors.length, 2)
      const { root, leaf, path } = anchors[1]
      assert.ok(verifyBox('a', { leaf, other: null, path }, root))
    }
  })

  test(`${name}: while more anchors are taken back than maps are kept, a quiet box's proof is asked for again`, async () => {
    await using t = await open()
    for (const box of ['a', 'b']) {
      await addBox(t.db, box)
      await addRecords(t.db, box, 1)
      await anchorNow(t.db)
    }
    await addRecords(t.db, 'b', 1)
    await anchorNow(t.db)
    await t.db.update(anchors).set({ state: 'submitted' }).where(eq(anchors.index, 2))
    await assert.rejects(proofBundle({ ...rowsAlone(t.db), ledger }, 'a'), { code: 'unavailable' })
  })
}
