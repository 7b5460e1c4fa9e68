import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileLedger } from './file-ledger.ts'
import { LedgerError, type LedgerReader } from './ledger.ts'
import { codesOf, threeAnchors, verdictsOf, withChanged } from './testing/three-anchors.ts'
import { verifyBundle } from './verify.ts'

test('an older proof of a box that has grown is incomplete', async () => {
  const shop = threeAnchors()
  const old = shop.bundleOf('A')
  shop.append('A', 'tracking')
  shop.anchor()
  const result = await verifyBundle(old, shop.ledger())
  assert.equal(result.verdict, 'incomplete')
  assert.deepEqual(codesOf(result), ['newer_anchor'])
})

test('the newest record taken away: incomplete, and the records beside it are not called proven', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const result = await verifyBundle({ ...bundle, records: bundle.records.slice(0, 5) }, shop.ledger())
  assert.equal(result.verdict, 'incomplete')
  assert.deepEqual(codesOf(result), ['newest_records_missing'])
  assert.deepEqual(verdictsOf(result), ['anchored', 'anchored', 'anchored', 'unchecked', 'unchecked'])
})

test('the count is read once more when an anchor has just landed, and only then', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  let asked = 0
  const answers = (...counts: number[]): LedgerReader => ({
    ...shop.ledger(),
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
  const shop = threeAnchors()
  const early = { ...shop.file(), count: 2, anchors: shop.file().anchors.slice(0, 2) }
  const live = await verifyBundle(shop.bundleOf('A'), { ...fileLedger(early), live: true })
  assert.deepEqual([live.verdict, codesOf(live)], ['broken', ['anchor_unknown']])
  const copy = await verifyBundle(shop.bundleOf('A'), fileLedger(early))
  assert.equal(copy.verdict, 'unreachable')
})

test('another chain or another contract than the proof names is never verified', async () => {
  const shop = threeAnchors()
  const identity = await shop.ledger().identity()
  for (const [other, code] of [
    [{ ...identity, chainId: 1 }, 'other_chain'],
    [{ ...identity, contract: `0x${'1'.repeat(40)}` }, 'other_contract'],
  ] as const) {
    const elsewhere = { ...shop.ledger(), identity: async () => other }
    const nothingThere = { ...elsewhere, count: () => Promise.reject(new LedgerError('no such contract')) }
    for (const reader of [elsewhere, nothingThere]) {
      const result = await verifyBundle(shop.bundleOf('A'), reader)
      assert.deepEqual([result.verdict, codesOf(result), result.upTo], ['broken', [code], 0])
    }
  }
})

for (const method of ['identity', 'count', 'anchorsOf', 'eventsOf'] as const)
  test(`a ledger that fails at ${method} makes the box unreachable and no record proven`, async () => {
    const shop = threeAnchors()
    const failing = { ...shop.ledger(), [method]: () => Promise.reject(new LedgerError('down')) }
    const result = await verifyBundle(shop.bundleOf('A'), failing)
    assert.equal(result.verdict, 'unreachable')
    assert.deepEqual(verdictsOf(result), Array(6).fill('unchecked'))
    assert.equal(result.reasons[0]?.detail, 'down')
  })

test('a ledger that answers nonsense makes the box unreachable', async () => {
  const shop = threeAnchors()
  const honest = shop.ledger()
  for (const odd of [
    { count: async () => Number.NaN },
    { count: async () => -1 },
    { count: async () => 2.5 },
    { anchorsOf: async () => [] },
    { eventsOf: async () => [] },
  ]) {
    const { verdict } = await verifyBundle(shop.bundleOf('A'), { ...honest, ...odd })
    assert.equal(verdict, 'unreachable', JSON.stringify(Object.keys(odd)))
  }
})

test('a history that does not even fit its own proof is broken although the ledger is unreachable', async () => {
  const shop = threeAnchors()
  const failing = { ...shop.ledger(), count: () => Promise.reject(new LedgerError('down')) }
  const result = await verifyBundle(withChanged(shop.bundleOf('A'), 3, { by: 'x' }), failing)
  assert.equal(result.verdict, 'broken')
  assert.deepEqual(verdictsOf(result).slice(2, 4), ['broken', 'unchecked'])
})

for (const [code, change] of [
  ['root_mismatch', { root: 'ab'.repeat(32) }],
  ['time_mismatch', { time: 1 }],
] as const)
  test(`an anchor kept with another ${Object.keys(change)[0]} is broken: ${code}`, async () => {
    const shop = threeAnchors()
    const anchorsOf: LedgerReader['anchorsOf'] = async (indexes) =>
      (await shop.ledger().anchorsOf(indexes)).map((kept, i) => (i === 1 ? { ...kept, ...change } : kept))
    const result = await verifyBundle(shop.bundleOf('A'), { ...shop.ledger(), anchorsOf })
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', [code]])
  })

for (const [code, change] of [
  ['transaction_mismatch', { index: 7 }],
  ['transaction_mismatch', { root: 'ab'.repeat(32) }],
  ['block_mismatch', { blockNumber: 1 }],
  ['block_mismatch', { blockTime: 1 }],
] as const)
  test(`a transaction whose event has another ${Object.keys(change)[0]} is broken: ${code}`, async () => {
    const shop = threeAnchors()
    const eventsOf: LedgerReader['eventsOf'] = async (hashes) =>
      (await shop.ledger().eventsOf(hashes)).map((events) => events.map((event) => ({ ...event, ...change })))
    const result = await verifyBundle(shop.bundleOf('A'), { ...shop.ledger(), eventsOf })
    assert.equal(result.verdict, 'broken')
    assert.ok(codesOf(result).every((found) => found === code))
    assert.deepEqual(verdictsOf(result), Array(6).fill('broken'))
  })
