import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProofBundle } from './bundle.ts'
import { LedgerError, recordHash, toHex } from './index.ts'
import { Shop, stateOf } from './testing/shop.ts'
import { codesOf, verdictsOf } from './testing/three-anchors.ts'
import type { VerifyStep } from './verdict.ts'
import { verifyBundle } from './verify.ts'

/** Box A in anchors 1 (records 1 and 2), 3 (record 3) and 4 (record 4), with others beside it and a quiet anchor after. */
function grownShop(): Shop {
  const shop = new Shop()
  for (const box of ['B', 'C', 'D']) shop.append(box, 'registration')
  shop.anchor()
  shop.append('A', 'registration')
  shop.append('A', 'catch', { species: 'sample' })
  shop.anchor()
  shop.append('B', 'tracking')
  shop.anchor()
  shop.append('A', 'tracking', { temperature: 2 })
  shop.anchor()
  shop.append('A', 'tracking', { temperature: 3 })
  shop.anchor()
  shop.append('C', 'tracking')
  shop.anchor()
  return shop
}

/** The records of box A with one of them changed, kept and anchored as if it had always been so. */
function rewrite(shop: Shop, at: number): void {
  const history = shop.histories.get('A') ?? []
  const forged = history.map((record, i) => (i === at ? { ...record, data: { temperature: 0.1 } } : record))
  shop.histories.set('A', forged)
  shop.anchorStates([stateOf('A', forged)])
}

test('a whole history is verified, each record with the first anchor that covers it', async () => {
  const shop = grownShop()
  const bundle = shop.bundleOf('A')
  assert.deepEqual(
    bundle.anchors.map(({ index, before }) => [index, before !== null]),
    [
      [1, true],
      [3, true],
      [4, false],
      [5, false],
    ],
  )
  const steps: VerifyStep[] = []
  const result = await verifyBundle(bundle, shop.ledger(), { onStep: (step) => steps.push(step) })
  assert.deepEqual([result.verdict, result.reasons, result.withheld], ['verified', [], 0])
  assert.deepEqual(
    result.records.map(({ anchor }) => anchor?.index),
    [1, 1, 3, 4],
  )
  assert.deepEqual(
    steps.map(({ name, ok }) => [name, ok]),
    ['read', 'rebuild', 'prove', 'ledger', 'continuity', 'complete'].map((name) => [name, true]),
  )
})

test('the first anchor of a ledger needs no state before it, and a box that stood still is verified by the newest', async () => {
  const shop = grownShop()
  const bundle = shop.bundleOf('D')
  assert.deepEqual(
    bundle.anchors.map(({ index, before }) => [index, before]),
    [
      [0, null],
      [5, null],
    ],
  )
  assert.equal((await verifyBundle(bundle, shop.ledger())).verdict, 'verified')
})

test('a rewritten record that the next anchor takes in is not continued, with the old anchors or without', async () => {
  for (const grow of [true, false]) {
    const shop = grownShop()
    if (grow) shop.append('A', 'tracking')
    rewrite(shop, 2)
    const bundle = shop.bundleOf('A')
    assert.equal((await verifyBundle(bundle, shop.ledger())).verdict, 'broken')
    const newest = bundle.anchors.at(-1)
    assert.ok(newest)
    const before = shop.proofOf(5, 'A')
    const hiding: ProofBundle = { ...bundle, anchors: [{ ...newest, before }] }
    const result = await verifyBundle(hiding, shop.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['not_continued']])
    assert.deepEqual(new Set(verdictsOf(result)), new Set(['broken']))
  }
})

test('an anchor of growth that is left out shows at the next one', async () => {
  const shop = grownShop()
  const bundle = shop.bundleOf('A')
  for (const left of [0, 1]) {
    const result = await verifyBundle(
      { ...bundle, anchors: bundle.anchors.toSpliced(left, 1) },
      shop.ledger(),
    )
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['not_continued']])
  }
})

for (const [name, code, spoil] of [
  ['missing', 'not_continued', () => null],
  ['of another box', 'before_mismatch', (shop: Shop) => shop.proofOf(2, 'B')],
  ['of another anchor', 'before_root_mismatch', (shop: Shop) => shop.proofOf(1, 'A')],
  [
    'with a changed path',
    'before_mismatch',
    (shop: Shop) => ({ ...shop.proofOf(2, 'A'), path: ['ab'.repeat(32)] }),
  ],
  ['called absent', 'before_mismatch', (shop: Shop) => ({ ...shop.proofOf(2, 'A'), leaf: null })],
] as const)
  test(`a state before that is ${name}: broken`, async () => {
    const shop = grownShop()
    const bundle = shop.bundleOf('A')
    const [first, second, ...rest] = bundle.anchors
    assert.ok(first && second)
    const anchors = [first, { ...second, before: spoil(shop) }, ...rest]
    const result = await verifyBundle({ ...bundle, anchors }, shop.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', [code]])
    assert.equal(result.records[2]?.verdict, 'broken')
    assert.equal(result.records[3]?.verdict, 'anchored')
  })

test('a state before where there is none to show: broken, though it is true', async () => {
  const shop = grownShop()
  for (const [box, position, index] of [
    ['A', 2, 3],
    ['A', 3, 4],
    ['D', 0, 0],
  ] as const) {
    const bundle = shop.bundleOf(box)
    const anchors = bundle.anchors.map((anchor, i) =>
      i === position ? { ...anchor, before: shop.proofOf(index, box) } : anchor,
    )
    const result = await verifyBundle({ ...bundle, anchors }, shop.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['before_out_of_place']])
  }
})

test('a sealed box is verified at its seal and in every later map; nothing comes after', async () => {
  const shop = grownShop()
  shop.append('A', 'seal')
  shop.anchor()
  const atSeal = shop.bundleOf('A')
  shop.append('B', 'tracking')
  shop.anchor()
  for (const bundle of [atSeal, shop.bundleOf('A')]) {
    const { verdict, sealed } = await verifyBundle(bundle, shop.ledger())
    assert.deepEqual([verdict, sealed], ['verified', true])
  }
  shop.append('A', 'tracking')
  shop.anchor()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(result.verdict, 'broken')
  assert.ok(codesOf(result).includes('record_after_seal'))
})

test('an older proof is incomplete, and records that wait are pending', async () => {
  const shop = grownShop()
  const old = shop.bundleOf('A')
  shop.append('A', 'tracking')
  const waiting = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual(
    [waiting.verdict, waiting.upTo, verdictsOf(waiting).at(-1)],
    ['verified-up-to', 4, 'pending'],
  )
  shop.anchor()
  const result = await verifyBundle(old, shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['incomplete', ['newer_anchor']])
})

test('withheld records keep the box verified, and the verdict counts them', async () => {
  const shop = grownShop()
  const bundle = shop.bundleOf('A')
  const records = bundle.records.map((record, i) =>
    i === 0 || i === 2
      ? { seq: i + 1, recordHash: toHex(recordHash(record as never)), withheld: true }
      : record,
  )
  const result = await verifyBundle({ ...bundle, records }, shop.ledger())
  assert.deepEqual([result.verdict, result.withheld], ['verified', 2])
  assert.match(result.words, /The content of 2 records is withheld\.$/)
  assert.deepEqual(verdictsOf(result), ['withheld', 'anchored', 'withheld', 'anchored'])
  assert.equal(result.records[0]?.latenessS, null)
})

test('lateness is told of each record and of the box', async () => {
  const shop = new Shop()
  shop.append('A', 'registration', {}, 40)
  shop.append('A', 'catch', {}, 2 * 86_400)
  shop.append('A', 'tracking', {}, 3_600)
  shop.append('A', 'tracking', {}, 3_601)
  shop.append('A', 'tracking', {}, -300)
  shop.anchor()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(result.verdict, 'verified')
  assert.deepEqual(
    result.records.map(({ latenessS }) => latenessS),
    [40, 172_800, 3_600, 3_601, -300],
  )
  assert.deepEqual(result.lateness, { largestS: 172_800, overAnHour: 2 })
})

test('a record that is dated more than five minutes after its block is said to be, and the words count it', async () => {
  const shop = new Shop()
  shop.append('A', 'registration')
  shop.append('A', 'tracking', {}, -301)
  shop.anchor()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['verified', ['dated_ahead']])
  assert.deepEqual([result.records[1]?.verdict, result.records[1]?.code], ['anchored', 'dated_ahead'])
  assert.match(result.words, /1 record is dated later/)
})

test('a record of a kind that nobody knows is checked like any other', async () => {
  const shop = grownShop()
  shop.append('A', 'weighing' as never, { grams: 4200 })
  shop.anchor()
  const bundle = shop.bundleOf('A')
  assert.equal((await verifyBundle(bundle, shop.ledger())).verdict, 'verified')
  const odd = {
    ...bundle,
    records: bundle.records.with(4, { ...bundle.records[4], kind: 'weighting' } as never),
  }
  assert.equal((await verifyBundle(odd, shop.ledger())).verdict, 'broken')
})

test('a ledger that can not be read, or is another one, verifies nothing', async () => {
  const shop = grownShop()
  const bundle = shop.bundleOf('A')
  const silent = { ...shop.ledger(), anchorsOf: () => Promise.reject(new LedgerError('no answer')) }
  const unreachable = await verifyBundle(bundle, silent)
  assert.deepEqual([unreachable.verdict, codesOf(unreachable)], ['unreachable', ['ledger_unreachable']])
  assert.deepEqual(new Set(verdictsOf(unreachable)), new Set(['unchecked']))
  const other = { ...bundle, ledger: { ...bundle.ledger, chainId: 1 } }
  assert.equal((await verifyBundle(other, shop.ledger())).verdict, 'broken')
})
