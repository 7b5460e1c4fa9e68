import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxState } from '@befaqt/provenance'
import { EMPTY, loadPaths, MapNodes, proveBox, updateMap, verifyBox } from '@befaqt/provenance/box-map'
import { asc, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchorLeaves, anchors, grownBoxes, mapNodes, removedMapNodes } from '#server/db/schema/ledger.ts'
import { addBox, addRecords, collectAt } from '#server/testing/anchoring.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { growMap, nodesIn, pruneNodes, saveNodes, takeBackNodes } from './box-map.ts'

const NOW = new Date('2026-11-21T01:00:00Z')
const collect = (db: Db) => collectAt(db, NOW)

/** The states of all boxes, and the root of their map, built anew by its definition. */
async function mapByDefinition(db: Db): Promise<{ root: string; nodes: Set<string>; states: BoxState[] }> {
  const all = await db.select().from(boxes)
  const states = all
    .filter(({ count }) => count > 0)
    .map(({ id: box, count, head, sealed }) => ({ box, count, head, sealed }))
  const { root, added } = updateMap(new MapNodes(), EMPTY, states)
  return { root, nodes: new Set(added.map(({ value }) => value)), states }
}

const storedValues = async (db: Db): Promise<Set<string>> =>
  new Set((await db.select().from(mapNodes)).map(({ value }) => Buffer.from(value).toString('hex')))

/** Adds boxes with valid states, faster than by records. */
const addStates = (db: Db, prefix: string, n: number): Promise<unknown> =>
  rows(
    db,
    sql`insert into boxes (id, count, head)
        select ${prefix} || i, 1, encode(sha256(i::text::bytea), 'hex') from generate_series(1, ${n}::int) i`,
  )

for (const [name, open] of testDatabases) {
  test(`${name}: after every anchor the stored map is the one of all boxes, and keeps two maps' nodes at most`, async () => {
    await using t = await open()
    const { db } = t
    let before = new Set<string>()
    for (let i = 0; i < 12; i++) {
      if (i % 3 === 0) await addStates(db, `box ${i} `, 40)
      await addBox(db, `b${i}`)
      for (const box of [`b${i}`, `b${i >> 1}`]) await addRecords(db, box, 1)
      const anchor = await collect(db)
      const whole = await mapByDefinition(db)
      assert.deepEqual([anchor?.index, anchor?.root, anchor?.boxes], [i, whole.root, whole.states.length])
      await db.transaction((tx) => pruneNodes(tx, i - 1))
      assert.deepEqual(await storedValues(db), new Set([...before, ...whole.nodes]), `anchor ${i}`)
      before = whole.nodes
    }
  })

  test(`${name}: what is stored of a box that grew proves it, and the state before`, async () => {
    await using t = await open()
    const { db } = t
    for (let i = 0; i < 8; i++) {
      await addBox(db, `b${i}`)
      await addRecords(db, `b${i}`, 2)
      if (i % 3 === 2) await addRecords(db, 'b0', 1)
      await collect(db)
    }
    const roots = new Map((await db.select().from(anchors)).map(({ index, root }) => [index, root]))
    const leaves = await db.select().from(anchorLeaves).orderBy(asc(anchorLeaves.anchorIndex))
    const shown = new Set<boolean>()
    for (const { anchorIndex, boxId, count, head, sealed, path, before } of leaves) {
      const siblings = path.match(/.{64}/g) ?? []
      const leaf = { box: boxId, count, head, sealed }
      assert.ok(verifyBox(boxId, { leaf, other: null, path: siblings }, roots.get(anchorIndex) ?? EMPTY))
      shown.add(before !== null)
      if (before === null) continue
      const proof = JSON.parse(before)
      assert.equal(proof.root, roots.get(anchorIndex - 1) ?? EMPTY)
      assert.ok(verifyBox(boxId, proof, proof.root))
      const former = leaves.findLast((one) => one.boxId === boxId && one.anchorIndex < anchorIndex)
      assert.equal(proof.leaf?.count, former?.count)
    }
    assert.deepEqual(shown, new Set([true, false]), 'anchor 0 shows none')
  })

  test(`${name}: a map that is taken back is the one before, and grows again as it did`, async () => {
    await using t = await open()
    const { db } = t
    await addStates(db, 'box ', 60)
    await collect(db)
    await rows(db, sql`update boxes set count = 2 where id > 'box 5'`)
    await collect(db)
    const stored = async () => [
      await db.select().from(mapNodes).orderBy(asc(mapNodes.value)),
      await db.select().from(removedMapNodes).orderBy(asc(removedMapNodes.value)),
    ]
    const kept = await stored()
    const growAgain = async () => {
      await addBox(db, 'new').catch(() => undefined)
      await rows(db, sql`update boxes set count = 2 where id < 'box 3'`)
      return collect(db)
    }
    const first = await growAgain()
    await db.transaction(async (tx) => {
      await takeBackNodes(tx, 2)
      await tx.delete(anchorLeaves).where(eq(anchorLeaves.anchorIndex, 2))
      await tx.delete(anchors).where(eq(anchors.index, 2))
    })
    assert.deepEqual(await stored(), kept)
    await rows(db, sql`insert into grown_boxes (box_id) select id from boxes`)
    assert.equal((await growAgain())?.root, first?.root)
  })

  test(`${name}: a node that goes and comes back before it is pruned stays`, async () => {
    await using t = await open()
    const { db } = t
    const [back, gone] = [1, 2].map((i) => ({ value: `0${i}`.repeat(32), bytes: `0${i}` }))
    assert.ok(back && gone)
    await db.transaction(async (tx) => {
      await saveNodes(tx, 0, { added: [back, gone], removed: [] })
      await saveNodes(tx, 1, { added: [], removed: [back.value, gone.value] })
      await saveNodes(tx, 2, { added: [back], removed: [] })
      await pruneNodes(tx, 1)
    })
    assert.deepEqual(await storedValues(db), new Set([back.value]))
    await db.transaction((tx) => pruneNodes(tx, 2))
    assert.deepEqual(await storedValues(db), new Set([back.value]))
  })

  test(`${name}: an anchor reads and writes what lies on the ways to the boxes that grew`, async () => {
    await using t = await open()
    const { db } = t
    await addStates(db, 'box ', 3_000)
    const anchor = await collect(db)
    await rows(db, sql`update boxes set count = 2 where id in ('box 7', 'box 700')`)
    const reads: string[] = []
    const root = anchor?.root ?? ''
    const states = (await db.select().from(boxes).where(eq(boxes.count, 2))).map(
      ({ id: box, count, head, sealed }) => ({ box, count, head, sealed }),
    )
    const map = await growMap(
      async (values) => {
        reads.push(...values)
        return nodesIn(db)(values)
      },
      root,
      states,
    )
    const ways = await loadPaths(nodesIn(db), root, ['box 7', 'box 700'])
    assert.ok(reads.every((value) => ways.has(value)))
    assert.deepEqual([new Set(reads).size, reads.length], [ways.size, ways.size], 'each once')
    assert.ok(map.added.length <= ways.size && ways.size < 60, `${map.added.length} of ${ways.size}`)
  })

  test(`${name}: of many boxes that grew, those that waited longest come first, and the others next`, async () => {
    await using t = await open()
    const { db } = t
    await addStates(db, 'early ', 10_000)
    await addStates(db, 'late ', 5)
    const first = await collect(db)
    assert.deepEqual([first?.boxes, first?.records], [10_000, 10_000])
    const found = await db.select().from(anchorLeaves).where(sql`box_id like 'late%'`)
    assert.equal(found.length, 0)
    const second = await collect(db)
    assert.deepEqual([second?.boxes, second?.records], [10_005, 5])
    assert.equal(second?.root, (await mapByDefinition(db)).root)
    assert.equal(await collect(db), undefined)
  })

  test(`${name}: a state that is less than what is anchored, or no state, is not anchored`, async () => {
    await using t = await open()
    const { db } = t
    for (const box of ['a', 'b', 'c']) {
      await addBox(db, box)
      await addRecords(db, box, 3)
    }
    const before = await collect(db)
    await db.update(boxes).set({ count: 1 }).where(eq(boxes.id, 'a'))
    await db
      .update(boxes)
      .set({ head: 'ab'.repeat(32) })
      .where(eq(boxes.id, 'b'))
    await db.update(boxes).set({ head: 'none', count: 9 }).where(eq(boxes.id, 'c'))
    const told: string[] = []
    assert.equal(await collectAt(db, NOW, told), undefined)
    assert.match(told.join(), /^Boxes were changed that are not anchored.*"count":3/)
    for (const box of ['a', 'b', 'c']) assert.match(told.join(), new RegExp(`"${box}"`))
    assert.deepEqual(await db.select().from(grownBoxes), [])
    await addBox(db, 'd')
    await addRecords(db, 'd', 1)
    const after = await collect(db)
    assert.deepEqual([after?.boxes, after?.records], [4, 1])
    const root = after?.root ?? ''
    const nodes = await loadPaths(nodesIn(db), root, ['a', 'b', 'c'])
    const former = await loadPaths(nodesIn(db), before?.root ?? '', ['a', 'b', 'c'])
    for (const box of ['a', 'b', 'c'])
      assert.deepEqual(proveBox(nodes, root, box).leaf, proveBox(former, before?.root ?? '', box).leaf)
  })
}

test('PostgreSQL: a box that grows while an anchor is collected is in it, or in the next', {
  skip: withoutPostgres,
}, async () => {
  await using t = await testPostgres()
  const { db } = t
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids) await addBox(db, id)
  let writing = true
  const writers = ids.map(async (id) => {
    for (let i = 0; i < 60; i++) await addRecords(db, id, 1)
  })
  const anchoring = (async () => {
    while (writing) await collect(db)
  })()
  await Promise.all(writers)
  writing = false
  await anchoring
  await collect(db)
  const whole = await mapByDefinition(db)
  const [newest] = await db.select().from(anchors).orderBy(sql`index desc`).limit(1)
  assert.equal(newest?.root, whole.root)
  assert.deepEqual(
    whole.states.map(({ count }) => count),
    [60, 60, 60, 60],
  )
  assert.deepEqual(await db.select().from(grownBoxes), [])
})
