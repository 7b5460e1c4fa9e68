import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBox } from '@befaqt/provenance/box-map'
import { parseBundle } from '@befaqt/provenance/bundle'
import pino from 'pino'
import { BoxEvents } from '#server/boxes/events/box-events.ts'
import { proofBundle } from '#server/boxes/proof-bundle.ts'
import { EventFeed } from '#server/db/event-feed.ts'
import { addBox, addRecords, anchoringWorld, rowsAlone } from '#server/testing/anchoring.ts'
import { testDb } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'

test('reorganised deeper than maps are kept: a box that did not grow is proven again once the anchors are back', async () => {
  await using t = await testDb()
  await using network = await testNetwork(1)
  const world = anchoringWorld(t.db, network.chain)
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  for (let i = 0; i < 5; i++) {
    await world.pass()
    await network.mine()
  }
  await addRecords(t.db, 'a', 1)
  const anchorNext = async () => {
    await world.pass()
    await world.pass()
    await addRecords(t.db, 'a', 1)
  }
  await addBox(t.db, 'quiet')
  await addRecords(t.db, 'quiet', 1)
  for (let i = 0; i < 2; i++) await anchorNext()
  const goBack = await network.snapshot()
  for (let i = 0; i < 3; i++) await anchorNext()
  const located = { chainId: 1, contract: null, rpc: 'http://localhost/rpc', embedded: false }
  const deps = { ...rowsAlone(t.db), ledger: { locate: async () => located } }
  const newestOf = async () => parseBundle(JSON.parse(await proofBundle(deps, 'quiet'))).anchors.at(-1)
  const before = await newestOf()
  assert.equal(before?.index, 5)
  await goBack()
  await network.mineByHand()
  await world.pass()
  assert.deepEqual(
    (await world.anchors()).map(({ state }) => state),
    ['confirmed', 'confirmed', 'confirmed', 'submitted', 'submitted', 'submitted'],
  )
  await assert.rejects(newestOf(), { code: 'unavailable' })
  for (let i = 0; i < 6; i++) {
    await network.mine()
    await world.pass()
  }
  const again = (await newestOf()) ?? assert.fail('not proven')
  assert.ok(again.index >= before.index)
  assert.ok(verifyBox('quiet', { leaf: again.leaf, other: null, path: again.path }, again.root))
  assert.deepEqual(again.leaf, before.leaf)
})

test('whoever follows a box hears of its anchor again when it was reverted and is confirmed again', async () => {
  await using t = await testDb()
  await using network = await testNetwork(1)
  const world = anchoringWorld(t.db, network.chain)
  const log = pino({ level: 'silent' })
  const boxEvents = new BoxEvents({ ...rowsAlone(t.db), log })
  const stop = await new EventFeed(t, log).start([boxEvents])
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  for (let i = 0; i < 3; i++) {
    await world.pass()
    await network.mine()
  }
  await addRecords(t.db, 'a', 1)
  const goBack = await network.snapshot()
  const begun = Promise.withResolvers<void>()
  let heard = Promise.withResolvers<void>()
  const noteAnchors = (text: string): void => {
    if (text.includes('event: anchor')) heard.resolve()
  }
  const unfollow = boxEvents.add({
    boxID: 'a',
    from: null,
    begin: () => begun.resolve(),
    reject: begun.reject,
    send: (bytes) => noteAnchors(bytes.toString()),
  })
  await begun.promise
  for (let i = 0; i < 2; i++) await world.pass()
  await heard.promise
  heard = Promise.withResolvers()
  await goBack()
  await network.mineByHand()
  await world.pass()
  assert.equal((await world.anchors()).at(-1)?.state, 'submitted')
  for (let i = 0; i < 3; i++) {
    await network.mine()
    await world.pass()
  }
  assert.equal((await world.anchors()).at(-1)?.state, 'confirmed')
  await heard.promise
  unfollow()
  await stop()
})
