import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileLedger } from './file-ledger.ts'
import { LedgerError, type LedgerReader } from './ledger.ts'
import { codesOf, threeAnchors, verdictsOf, withChanged } from './testing/three-anchors.ts'
import { verifyBundle } from './verify.ts'

test('an older proof of a box that has grown is incomplete', async () => {
  const world = threeAnchors()
  const old = world.bundleOf('A')
  world.append('A', 'tracking')
  world.anchor()
  const result = await verifyBundle(old, world.ledger())
  assert.equal(result.verdict, 'incomplete')
  assert.deepEqual(codesOf(result), ['newer_anchor'])
})

test('the newest record taken away: incomplete, and the records beside it are not called proven', async () => {
  const world = threeAnchors()
  const bundle = world.bundleOf('A')
  const result = await verifyBundle({ ...bundle, records: bundle.records.slice(0, 5) }, world.ledger())
  assert.equal(result.verdict, 'incomplete')
  assert.deepEqual(codesOf(result), ['newest_records_missing'])
  assert.deepEqual(verdictsOf(result), ['anchored', 'anchored', 'anchored', 'unchecked', 'unchecked'])
})

test('the count is read once more when an anchor has just landed, and only then', async () => {
  const world = threeAnchors()
  const bundle = world.bundleOf('A')
  let asked = 0
  const answers = (...counts: number[]): LedgerReader => ({
    ...world.ledger(),
    count: async () => counts[asked++] ?? 0,
  })
  assert.equal((await verifyBundle(bundle, answers(2, 3))).verdict, 'verified')
  assert.equal(asked, 2)
  asked = 0
  assert.equal((await verifyBundle(bundle, answers(3, 4))).verdict, 'verified')
  assert.equal(asked, 1)
  asked = 0
  assert.equal((await verifyBundle(bundle, answers(4, 4))).verdict, 'incomplete')
  assert.equal(asked, 2)
})

test('an anchor that a live ledger does not hold is broken; one that a copy may lack is unreachable', async () => {
  const world = threeAnchors()
  const early = { ...world.file(), count: 2, anchors: world.file().anchors.slice(0, 2) }
  const live = await verifyBundle(world.bundleOf('A'), { ...fileLedger(early), live: true })
  assert.deepEqual([live.verdict, codesOf(live)], ['broken', ['anchor_unknown']])
  const copy = await verifyBundle(world.bundleOf('A'), fileLedger(early))
  assert.equal(copy.verdict, 'unreachable')
})

test('another chain or another contract than the proof names is never verified', async () => {
  const world = threeAnchors()
  const identity = await world.ledger().identity()
  for (const [other, code] of [
    [{ ...identity, chainId: 1 }, 'other_chain'],
    [{ ...identity, contract: `0x${'1'.repeat(40)}` }, 'other_contract'],
  ] as const) {
    const elsewhere = { ...world.ledger(), identity: async () => other }
    const nothingThere = { ...elsewhere, count: () => Promise.reject(new LedgerError('no such contract')) }
    for (const reader of [elsewhere, nothingThere]) {
      const result = await verifyBundle(world.bundleOf('A'), reader)
      assert.deepEqual([result.verdict, codesOf(result), result.upTo], ['broken', [code], 0])
    }
  }
})

for (const method of ['identity', 'count', 'anchorsOf', 'eventsOf'] as const)
  test(`a ledger that fails at ${method} makes the box unreachable and no record proven`, async () => {
    const world = threeAnchors()
    const failing = { ...world.ledger(), [method]: () => Promise.reject(new LedgerError('down')) }
    const result = await verifyBundle(world.bundleOf('A'), failing)
    assert.equal(result.verdict, 'unreachable')
    assert.deepEqual(verdictsOf(result), Array(6).fill('unchecked'))
    assert.equal(result.reasons[0]?.detail, 'down')
  })

test('a ledger that answers nonsense makes the box unreachable', async () => {
  const world = threeAnchors()
  const honest = world.ledger()
  for (const odd of [
    { count: async () => Number.NaN },
    { count: async () => -1 },
    { count: async () => 2.5 },
    { anchorsOf: async () => [] },
    { eventsOf: async () => [] },
  ]) {
    const { verdict } = await verifyBundle(world.bundleOf('A'), { ...honest, ...odd })
    assert.equal(verdict, 'unreachable', JSON.stringify(Object.keys(odd)))
  }
})

test('a history that does not even fit its own proof is broken although the ledger is unreachable', async () => {
  const world = threeAnchors()
  const failing = { ...world.ledger(), count: () => Promise.reject(new LedgerError('down')) }
  const result = await verifyBundle(withChanged(world.bundleOf('A'), 3, { by: 'x' }), failing)
  assert.equal(result.verdict, 'broken')
  assert.deepEqual(verdictsOf(result).slice(2, 4), ['broken', 'unchecked'])
})

for (const [code, change] of [
  ['root_mismatch', { root: 'ab'.repeat(32) }],
  ['time_mismatch', { time: 1 }],
  ['size_mismatch', { boxes: 4 }],
] as const)
  test(`an anchor kept with another ${Object.keys(change)[0]} is broken: ${code}`, async () => {
    const world = threeAnchors()
    const anchorsOf: LedgerReader['anchorsOf'] = async (indexes) =>
      (await world.ledger().anchorsOf(indexes)).map((kept, i) => (i === 1 ? { ...kept, ...change } : kept))
    const result = await verifyBundle(world.bundleOf('A'), { ...world.ledger(), anchorsOf })
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', [code]])
  })

for (const [code, change] of [
  ['transaction_mismatch', { index: 7 }],
  ['transaction_mismatch', { root: 'ab'.repeat(32) }],
  ['block_mismatch', { blockNumber: 1 }],
  ['block_mismatch', { blockTime: 1 }],
] as const)
  test(`a transaction whose event has another ${Object.keys(change)[0]} is broken: ${code}`, async () => {
    const world = threeAnchors()
    const eventsOf: LedgerReader['eventsOf'] = async (hashes) =>
      (await world.ledger().eventsOf(hashes)).map((events) =>
        events.map((event) => ({ ...event, ...change })),
      )
    const result = await verifyBundle(world.bundleOf('A'), { ...world.ledger(), eventsOf })
    assert.equal(result.verdict, 'broken')
    assert.ok(codesOf(result).every((found) => found === code))
    assert.deepEqual(verdictsOf(result), Array(6).fill('broken'))
  })
