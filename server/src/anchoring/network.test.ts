import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { ChainUnreachable } from '#server/chain/port.ts'
import { anchors, chainTransactions, ledgers } from '#server/db/schema/ledger.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { type TestDb, testDb } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { LedgerFault } from './anchoring.ts'
import { chainHealth } from './ledger-health.ts'

/** A network with the ledger deployed and one anchor confirmed, and a new record that waits. */
async function running(t: TestDb, confirmations = 1) {
  const network = await testNetwork(confirmations)
  const world = anchoringWorld(t.db, network.chain)
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  for (let i = 0; i < 2 * confirmations + 3; i++) {
    await world.pass()
    await network.mine()
  }
  assert.deepEqual(
    (await world.anchors()).map(({ state }) => state),
    ['confirmed'],
  )
  await addRecords(t.db, 'a', 1)
  return { network, ...world }
}

const stateOf = async (world: Pick<Awaited<ReturnType<typeof running>>, 'anchors'>, index: number) =>
  (await world.anchors())[index]?.state

test('lost: a transaction that the network forgot is sent again as it was', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await network.mineByHand()
  await world.pass()
  const [anchor] = (await world.anchors()).slice(1)
  assert.ok(anchor?.txHash)
  await network.node.rpc({ method: 'hardhat_dropTransaction', params: [anchor.txHash] })
  assert.equal(await world.pass(), 'waiting')
  assert.equal(await stateOf(world, 1), 'submitted')
  await network.mine()
  await world.pass()
  const [again] = (await world.anchors()).slice(1)
  assert.deepEqual([again?.state, again?.txHash], ['confirmed', anchor.txHash])
  assert.equal((await world.transactions()).length, 3)
})

test('waiting too long: one with a higher fee and the same nonce takes over, and only one of them counts', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await network.mineByHand()
  await world.pass()
  world.later(119)
  await world.pass()
  assert.equal((await world.transactions()).length, 3)
  world.later(1)
  await world.pass()
  const [, , first, second, ...more] = await world.transactions()
  assert.deepEqual([first?.nonce === second?.nonce, more.length], [true, 0])
  assert.equal(await stateOf(world, 1), 'submitted')
  await network.mine()
  await world.pass()
  const [anchor] = (await world.anchors()).slice(1)
  assert.deepEqual([anchor?.state, anchor?.txHash], ['confirmed', second?.hash])
  assert.deepEqual(
    (await world.transactions()).slice(2).map(({ state }) => state),
    ['replaced', 'confirmed'],
  )
})

test('replaced by a stranger to us: the same root is signed anew with the next nonce', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await network.mineByHand()
  await world.pass()
  const [, before] = await world.anchors()
  await network.foreign(2, 50n)
  await network.mine()
  await world.pass() // sees the nonce gone, signs anew, sends
  await network.mine()
  await world.pass()
  const [, after, ...more] = await world.anchors()
  assert.deepEqual([after?.state, after?.root, more.length], ['confirmed', before?.root, 0])
  assert.notEqual(after?.txHash, before?.txHash)
  assert.deepEqual(
    (await world.transactions()).slice(2).map(({ nonce, state }) => [nonce, state]),
    [
      [2, 'replaced'],
      [3, 'confirmed'],
    ],
  )
})

test('reorganised: an anchor is confirmed only so many blocks deep, and comes back with the same hash', async () => {
  await using t = await testDb()
  const world = await running(t, 3)
  await using network = world.network
  await network.mineByHand()
  await world.pass()
  const goBack = await network.snapshot()
  await network.mine()
  await world.pass()
  const mined = (await world.anchors())[1]
  assert.equal(mined?.state, 'mined')
  await network.mine()
  await world.pass()
  assert.equal(await stateOf(world, 1), 'mined', 'two blocks are not three')
  await goBack()
  await network.node.rpc({ method: 'hardhat_dropTransaction', params: [mined.txHash] })
  await world.pass()
  const lost = (await world.anchors())[1]
  assert.deepEqual([lost?.state, lost?.blockNumber], ['submitted', null])
  await network.mine(5)
  await world.pass()
  const back = (await world.anchors())[1]
  assert.deepEqual([back?.state, back?.txHash], ['confirmed', mined.txHash])
})

test('reorganised deeper than we wait for: confirmed anchors go back and are sent again in order', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  const goBack = await network.snapshot()
  await world.pass()
  await world.pass()
  await addRecords(t.db, 'a', 1)
  await world.pass()
  await world.pass()
  const before = (await world.anchors()).map(({ state, txHash }) => [state, txHash])
  assert.deepEqual(
    before.map(([state]) => state),
    ['confirmed', 'confirmed', 'confirmed'],
  )
  await goBack()
  for (let i = 0; i < 3; i++) await world.pass()
  assert.deepEqual(
    (await world.anchors()).map(({ state, txHash }) => [state, txHash]),
    before,
  )
  assert.ok(world.told.includes('anchor reorganised away; resending it'))
})

test('unreachable: nothing is lost, health says so, and anchoring resumed when it is back', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  network.http.cut(true)
  await assert.rejects(world.pass(), ChainUnreachable)
  const { reachable, pendingRecords } = await chainHealth(world.deps)
  assert.deepEqual({ reachable, pendingRecords }, { reachable: false, pendingRecords: 1 })
  network.http.cut(false)
  await world.pass()
  await world.pass()
  assert.equal(await stateOf(world, 1), 'confirmed')
})

test('unreachable while sending: what was signed is sent later, nothing is signed twice', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  const cutAtSending = { ...network.chain, send: () => Promise.reject(new ChainUnreachable('cut')) }
  await assert.rejects(world.restarted(cutAtSending).pass(), ChainUnreachable)
  const [signed] = (await world.transactions()).slice(2)
  await world.pass()
  await world.pass()
  const [anchor] = (await world.anchors()).slice(1)
  assert.deepEqual([anchor?.state, anchor?.txHash], ['confirmed', signed?.hash])
  assert.equal((await world.transactions()).length, 3)
})

test('reset: a network that lost the ledger stops anchoring with a sentence, and nothing is sent', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await network.reset()
  await assert.rejects(
    world.pass(),
    (error: unknown) => error instanceof LedgerFault && /ledger is gone/.test(error.message),
  )
  assert.equal(await network.chain.nonce('pending'), 0)
  assert.equal((await world.anchors()).length, 1)
})

test('another chain than the one that holds the anchors is refused', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  const elsewhere = { ...network.chain, chainId: async () => 11_155_111 }
  await assert.rejects(
    world.restarted(elsewhere).pass(),
    /holds anchors of chain 31337, .* answers is 11155111/,
  )
})

test('index taken by our own anchor of a forgotten time: it is adopted with its transaction', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await world.pass()
  await world.pass()
  const [, before] = await world.anchors()
  assert.ok(before?.txHash)
  const forgotten = { state: 'collected', txHash: null, blockNumber: null, blockTime: null } as const
  await t.db.update(anchors).set(forgotten).where(eq(anchors.index, 1))
  await t.db.delete(chainTransactions).where(eq(chainTransactions.hash, before.txHash))
  await world.pass()
  const [, after] = await world.anchors()
  assert.deepEqual(
    [after?.state, after?.txHash, after?.blockTime],
    ['confirmed', before.txHash, before.blockTime],
  )
  assert.equal(await network.chain.nonce('pending'), 3)
})

test('an anchor whose transaction is reverted now, while the ledger has its root through another, gets that one', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await world.pass()
  await world.pass()
  const [, before] = await world.anchors()
  const txHash = await network.reverted((await world.ledger()).contract)
  const mined = await network.chain.receipt(txHash)
  assert.equal(mined?.ok, false)
  const { blockNumber = 0 } = mined ?? {}
  await t.db.update(anchors).set({ state: 'mined', txHash, blockNumber }).where(eq(anchors.index, 1))
  for (let i = 0; i < 3; i++) await world.pass()
  const [, after] = await world.anchors()
  assert.deepEqual([after?.state, after?.txHash], ['confirmed', before?.txHash])
  assert.equal(after?.blockNumber, before?.blockNumber)
})

test('index taken by another root: anchoring stops with a sentence', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using _network = world.network
  await world.pass()
  await world.pass()
  const other = { state: 'collected', txHash: null, root: 'ab'.repeat(32) } as const
  await t.db.update(anchors).set(other).where(eq(anchors.index, 1))
  await assert.rejects(world.pass(), /holds another root at index 1/)
  assert.equal(await stateOf(world, 1), 'collected')
})

test('a revoked role stops anchoring with a sentence that names it, and nothing is sent', async () => {
  await using t = await testDb()
  const world = await running(t)
  await using network = world.network
  await network.revokeAnchorer((await world.ledger()).contract)
  await assert.rejects(world.pass(), /rejects anchor 1: NotAnchorer\(0xbb2efB/)
  assert.deepEqual([await stateOf(world, 1), (await world.transactions()).length], ['collected', 2])
})

test('a contract from the settings is used when it holds no anchors that this database does not know', async () => {
  await using one = await testDb()
  const world = await running(one)
  await using network = world.network
  const [ledger] = await one.db.select().from(ledgers)
  const contract = (ledger?.contract ?? '') as `0x${string}`

  await using two = await testDb()
  const elsewhere = anchoringWorld(two.db, network.chain, { contract })
  await addBox(two.db, 'b')
  await addRecords(two.db, 'b', 1)
  await assert.rejects(elsewhere.pass(), /holds 1 anchors that this database does not know/)
  assert.equal(await network.chain.anchorCount(contract), 1)
  const unused = await network.deployLedger()
  const there = anchoringWorld(two.db, network.chain, { contract: unused })
  await there.pass()
  await there.pass()
  assert.deepEqual(
    (await there.anchors()).map(({ index, state }) => [index, state]),
    [[0, 'confirmed']],
  )
  assert.equal(await network.chain.anchorCount(unused), 1)

  await using three = await testDb()
  const nowhere = anchoringWorld(three.db, network.chain, { contract: network.chain.account })
  await assert.rejects(nowhere.pass(), /has no contract there/)
})
