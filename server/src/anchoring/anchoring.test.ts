import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBox } from '@befaqt/provenance/box-map'
import { eq } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import { ChainUnreachable } from '#server/chain/port.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchorLeaves, ledgers } from '#server/db/schema/ledger.ts'
import { addBox, addRecords, anchoringWorld, hashesAndBlocks } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { signAnchor } from './advance-anchor.ts'
import { collectAnchor } from './collect-anchor.ts'
import { ledgerLocation } from './ledger.ts'
import { chainHealth } from './ledger-health.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: new records are in a confirmed anchor, and the ledger holds its root, time and numbers`, async () => {
    await using t = await open()
    const chain = await embeddedChain()
    const world = anchoringWorld(t.db, chain)
    for (const [box, n] of [
      ['zander', 2],
      ['Ä', 1],
      ['a', 3],
    ] as const) {
      await addBox(t.db, box)
      await addRecords(t.db, box, n)
    }
    assert.equal(await world.pass(), 'idle')
    const [anchor, ...others] = await world.anchors()
    assert.ok(anchor?.txHash && others.length === 0)
    const { state, boxes, records, blockNumber, blockTime } = anchor
    assert.deepEqual([state, boxes, records, blockNumber], ['confirmed', 3, 6, 2])
    const { contract } = await ledgerLocation(t.db, chain, 'http://localhost/rpc').locate()
    assert.ok(contract)
    const held = await chain.anchorOf(contract as `0x${string}`, 0)
    assert.deepEqual(held, { root: anchor.root, time: blockTime, boxes: 3, records: 6 })

    const leaves = await t.db.select().from(anchorLeaves)
    assert.equal(leaves.length, 3)
    for (const { boxId: box, count, head, sealed, path } of leaves) {
      const siblings = path.match(/.{64}/g) ?? []
      const proof = { leaf: { box, count, head, sealed }, other: null, path: siblings }
      assert.ok(verifyBox(box, proof, anchor.root), box)
    }
  })

  test(`${name}: a clock that was ahead holds no anchor up once it is right`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain())
    await addBox(t.db, 'a')
    await addRecords(t.db, 'a', 1)
    world.later(3_600)
    await world.pass(60)
    world.later(-3_600)
    await addRecords(t.db, 'a', 1)
    await world.pass(60)
    assert.equal((await world.anchors()).length, 2)
    await addRecords(t.db, 'a', 1)
    await world.pass(60)
    assert.equal((await world.anchors()).length, 2, 'and from then on the interval counts again')
  })

  test(`${name}: an anchor is made only when something is new and the interval has passed`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain())
    await addBox(t.db, 'a')
    assert.equal(await world.pass(60), 'idle')
    assert.equal((await world.anchors()).length, 0, 'a box without records is nothing new')
    await addRecords(t.db, 'a', 1)
    await world.pass(60)
    await addRecords(t.db, 'a', 1)
    world.later(59)
    await world.pass(60)
    assert.equal((await world.anchors()).length, 1)
    world.later(1)
    await world.pass(60)
    world.later(60)
    await world.pass(60)
    assert.deepEqual(
      (await world.anchors()).map(({ index, records }) => [index, records]),
      [
        [0, 1],
        [1, 1],
      ],
    )
  })

  test(`${name}: while more boxes wait than an anchor takes, the next follows at once`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain(), { mostBoxes: 2 })
    const sizes = async () => (await world.anchors()).map(({ records }) => records)
    const grow = async (ids: string[]): Promise<void> => {
      for (const id of ids) {
        await addBox(t.db, id)
        await addRecords(t.db, id, 1)
      }
    }
    await grow(['held'])
    await t.db.update(boxes).set({ heldBack: true })
    await grow(['a'])
    await world.pass(60)
    await grow(['b', 'c'])
    await world.pass(60)
    assert.deepEqual(await sizes(), [1], 'one full anchor waits for its time; who is held back does not wait')
    await grow(['d', 'e', 'f'])
    assert.equal(await world.pass(60), 'idle')
    assert.deepEqual(await sizes(), [1, 2, 2], 'what is left is no more than one')
    world.later(60)
    await world.pass(60)
    assert.deepEqual(await sizes(), [1, 2, 2, 1])
  })

  test(`${name}: every anchor has every box, sealed ones too, and stores the leaves of those that grew`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain())
    for (const box of ['a', 'b', 'c']) await addBox(t.db, box)
    await addRecords(t.db, 'a', 1)
    await addRecords(t.db, 'b', 1, true)
    await world.pass()
    await addRecords(t.db, 'c', 1)
    await world.pass()
    await addRecords(t.db, 'a', 0, true)
    await world.pass()
    await addRecords(t.db, 'c', 1)
    await world.pass()
    assert.deepEqual(
      (await world.anchors()).map(({ boxes, records }) => [boxes, records]),
      [
        [2, 3],
        [3, 1],
        [3, 1],
        [3, 1],
      ],
    )
    const kept = await t.db.select().from(anchorLeaves).where(eq(anchorLeaves.boxId, 'a'))
    assert.deepEqual(
      kept.map((leaf) => [leaf.anchorIndex, leaf.count, leaf.sealed, leaf.before !== null]),
      [
        [0, 1, false, false],
        [2, 2, true, true],
      ],
    )
  })

  test(`${name}: a chain that comes back empty is rebuilt with the same hashes, blocks and times`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain())
    await addBox(t.db, 'a')
    for (let i = 0; i < 5; i++) {
      await addRecords(t.db, 'a', 1)
      await world.pass()
      world.later(i % 2) // two in the same second
    }
    const before = await hashesAndBlocks(t.db)
    const chain = await embeddedChain()
    const again = world.restarted(chain)
    await addRecords(t.db, 'a', 1)
    assert.equal(await again.pass(), 'idle')
    assert.deepEqual((await hashesAndBlocks(t.db)).slice(0, 6), before)
    for (const { hash, block_number, block_time } of before) {
      const mined = await chain.receipt(hash as `0x${string}`)
      assert.deepEqual([mined?.blockNumber, mined?.blockTime], [Number(block_number), Number(block_time)])
    }
    assert.deepEqual(
      (await again.anchors()).map((anchor) => anchor.state),
      Array(6).fill('confirmed'),
    )
  })

  test(`${name}: what was signed but never sent is sent after a restart, as it was`, async () => {
    await using t = await open()
    const chain = await embeddedChain()
    const world = anchoringWorld(t.db, chain)
    await addBox(t.db, 'a')
    await addRecords(t.db, 'a', 1)
    await world.pass()
    await addRecords(t.db, 'a', 1)
    const mute = { ...chain, send: () => Promise.reject(new ChainUnreachable('killed')) }
    await assert.rejects(world.restarted(mute).pass(), ChainUnreachable)
    const [, , signed] = await world.transactions()
    assert.deepEqual([signed?.state, (await world.anchors())[1]?.state], ['signed', 'submitted'])
    await world.restarted(await embeddedChain()).pass()
    const [, anchor, ...more] = await world.anchors()
    assert.deepEqual([anchor?.state, anchor?.txHash, more.length], ['confirmed', signed?.hash, 0])
    assert.equal((await world.transactions()).length, 3)
  })

  test(`${name}: of two that sign the same anchor at once, as when a leader loses its place, one is kept`, async () => {
    await using t = await open()
    const world = anchoringWorld(t.db, await embeddedChain())
    await addBox(t.db, 'a')
    await world.pass()
    await addRecords(t.db, 'a', 1)
    const ledger = await world.ledger()
    const anchor = await collectAnchor(world.deps)
    assert.ok(anchor)
    const signed = await Promise.all([1, 2].map(() => signAnchor(world.deps, ledger, anchor)))
    assert.deepEqual(signed.sort(), [false, true])
    assert.equal(await signAnchor(world.deps, ledger, anchor), false)
    assert.deepEqual(
      (await world.transactions()).map(({ state }) => state),
      ['confirmed', 'signed'],
    )
    assert.equal(await world.pass(), 'idle')
    assert.equal((await world.anchors())[0]?.state, 'confirmed')
  })

  test(`${name}: health tells what waits and for how long`, async () => {
    await using t = await open()
    const chain = await embeddedChain()
    const world = anchoringWorld(t.db, chain, { now: () => new Date() })
    await world.pass()
    const idle = {
      reachable: true,
      blockNumber: 1,
      pendingRecords: 0,
      lastAnchorAt: null,
      lagS: 0,
      fault: null,
    }
    assert.deepEqual(await chainHealth(world.deps), idle)
    await addBox(t.db, 'a')
    await addBox(t.db, 'b')
    await addRecords(t.db, 'a', 3)
    await addRecords(t.db, 'b', 1, true)
    const inAMinute = { ...world.deps, now: () => new Date(Date.now() + 60_000) }
    const waiting = await chainHealth(inAMinute)
    assert.equal(waiting.pendingRecords, 5)
    assert.ok(waiting.lagS >= 60 && waiting.lagS < 120, `${waiting.lagS}`)
    await world.pass()
    const [anchor] = await world.anchors()
    const lastAnchorAt = new Date((anchor?.blockTime ?? 0) * 1000)
    assert.deepEqual(await chainHealth(inAMinute), { ...idle, blockNumber: 2, lastAnchorAt })
    await t.db.update(ledgers).set({ fault: 'gone' })
    const broken = {
      ...world.deps,
      chain: { ...chain, blockNumber: () => Promise.reject(new ChainUnreachable('')) },
    }
    const { reachable, blockNumber, fault } = await chainHealth(broken)
    assert.deepEqual(
      { reachable, blockNumber, fault },
      { reachable: false, blockNumber: null, fault: 'gone' },
    )
  })
}
