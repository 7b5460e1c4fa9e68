import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LedgerError, recordHash, toHex } from '../index.ts'
import { MapWorld } from '../testing/map-world.ts'
import { stateOf } from '../testing/world.ts'
import type { ProofBundle } from './bundle.ts'
import type { BoxResult, VerifyStep } from './verdict.ts'
import { verifyBundle } from './verify.ts'

const codesOf = ({ reasons }: BoxResult) => reasons.map(({ code }) => code)
const verdictsOf = ({ records }: BoxResult) => records.map(({ verdict }) => verdict)

/** Box A in anchors 1 (records 1 and 2), 3 (record 3) and 4 (record 4), with others beside it and a quiet anchor after. */
function grownWorld(): MapWorld {
  const world = new MapWorld()
  for (const box of ['B', 'C', 'D']) world.append(box, 'registration')
  world.anchor()
  world.append('A', 'registration')
  world.append('A', 'catch', { species: 'sample' })
  world.anchor()
  world.append('B', 'tracking')
  world.anchor()
  world.append('A', 'tracking', { temperature: 2 })
  world.anchor()
  world.append('A', 'tracking', { temperature: 3 })
  world.anchor()
  world.append('C', 'tracking')
  world.anchor()
  return world
}

/** The records of box A with one of them changed, kept and anchored as if it had always been so. */
function rewrite(world: MapWorld, at: number): void {
  const history = world.histories.get('A') ?? []
  const forged = history.map((record, i) => (i === at ? { ...record, data: { temperature: 0.1 } } : record))
  world.histories.set('A', forged)
  world.anchorStates([stateOf('A', forged)])
}

test('a whole history is verified, each record with the first anchor that covers it', async () => {
  const world = grownWorld()
  const bundle = world.bundleOf('A')
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
  const result = await verifyBundle(bundle, world.ledger(), { onStep: (step) => steps.push(step) })
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
  const world = grownWorld()
  const bundle = world.bundleOf('D')
  assert.deepEqual(
    bundle.anchors.map(({ index, before }) => [index, before]),
    [
      [0, null],
      [5, null],
    ],
  )
  assert.equal((await verifyBundle(bundle, world.ledger())).verdict, 'verified')
})

test('a rewritten record that the next anchor takes in is not continued, with the old anchors or without', async () => {
  for (const grow of [true, false]) {
    const world = grownWorld()
    if (grow) world.append('A', 'tracking')
    rewrite(world, 2)
    const bundle = world.bundleOf('A')
    assert.equal((await verifyBundle(bundle, world.ledger())).verdict, 'broken')
    const newest = bundle.anchors.at(-1)
    assert.ok(newest)
    const before = world.proofOf(5, 'A')
    const hiding: ProofBundle = { ...bundle, anchors: [{ ...newest, before }] }
    const result = await verifyBundle(hiding, world.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['not_continued']])
    assert.deepEqual(new Set(verdictsOf(result)), new Set(['broken']))
  }
})

test('an anchor of growth that is left out shows at the next one', async () => {
  const world = grownWorld()
  const bundle = world.bundleOf('A')
  for (const left of [0, 1]) {
    const result = await verifyBundle(
      { ...bundle, anchors: bundle.anchors.toSpliced(left, 1) },
      world.ledger(),
    )
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['not_continued']])
  }
})

for (const [name, code, spoil] of [
  ['missing', 'not_continued', () => null],
  ['of another box', 'before_mismatch', (world: MapWorld) => world.proofOf(2, 'B')],
  ['of another anchor', 'before_root_mismatch', (world: MapWorld) => world.proofOf(1, 'A')],
  [
    'with a changed path',
    'before_mismatch',
    (world: MapWorld) => ({ ...world.proofOf(2, 'A'), path: ['ab'.repeat(32)] }),
  ],
  ['called absent', 'before_mismatch', (world: MapWorld) => ({ ...world.proofOf(2, 'A'), leaf: null })],
] as const)
  test(`a state before that is ${name}: broken`, async () => {
    const world = grownWorld()
    const bundle = world.bundleOf('A')
    const [first, second, ...rest] = bundle.anchors
    assert.ok(first && second)
    const anchors = [first, { ...second, before: spoil(world) }, ...rest]
    const result = await verifyBundle({ ...bundle, anchors }, world.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', [code]])
    assert.equal(result.records[2]?.verdict, 'broken')
    assert.equal(result.records[3]?.verdict, 'anchored')
  })

test('a state before where there is none to show: broken, though it is true', async () => {
  const world = grownWorld()
  for (const [box, position, index] of [
    ['A', 2, 3],
    ['A', 3, 4],
    ['D', 0, 0],
  ] as const) {
    const bundle = world.bundleOf(box)
    const anchors = bundle.anchors.map((anchor, i) =>
      i === position ? { ...anchor, before: world.proofOf(index, box) } : anchor,
    )
    const result = await verifyBundle({ ...bundle, anchors }, world.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['before_out_of_place']])
  }
})

test('a sealed box is verified at its seal and in every later map; nothing comes after', async () => {
  const world = grownWorld()
  world.append('A', 'seal')
  world.anchor()
  const atSeal = world.bundleOf('A')
  world.append('B', 'tracking')
  world.anchor()
  for (const bundle of [atSeal, world.bundleOf('A')]) {
    const { verdict, sealed } = await verifyBundle(bundle, world.ledger())
    assert.deepEqual([verdict, sealed], ['verified', true])
  }
  world.append('A', 'tracking')
  world.anchor()
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.equal(result.verdict, 'broken')
  assert.ok(codesOf(result).includes('record_after_seal'))
})

test('an older proof is incomplete, and records that wait are pending', async () => {
  const world = grownWorld()
  const old = world.bundleOf('A')
  world.append('A', 'tracking')
  const waiting = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.deepEqual(
    [waiting.verdict, waiting.upTo, verdictsOf(waiting).at(-1)],
    ['verified-up-to', 4, 'pending'],
  )
  world.anchor()
  const result = await verifyBundle(old, world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['incomplete', ['newer_anchor']])
})

test('withheld records keep the box verified, and the verdict counts them', async () => {
  const world = grownWorld()
  const bundle = world.bundleOf('A')
  const records = bundle.records.map((record, i) =>
    i === 0 || i === 2
      ? { seq: i + 1, recordHash: toHex(recordHash(record as never)), withheld: true }
      : record,
  )
  const result = await verifyBundle({ ...bundle, records }, world.ledger())
  assert.deepEqual([result.verdict, result.withheld], ['verified', 2])
  assert.match(result.words, /The content of 2 records is withheld\.$/)
  assert.deepEqual(verdictsOf(result), ['withheld', 'anchored', 'withheld', 'anchored'])
  assert.equal(result.records[0]?.latenessS, null)
})

test('lateness is told of each record and of the box', async () => {
  const world = new MapWorld()
  world.append('A', 'registration', {}, 40)
  world.append('A', 'catch', {}, 2 * 86_400)
  world.append('A', 'tracking', {}, 3_600)
  world.append('A', 'tracking', {}, 3_601)
  world.append('A', 'tracking', {}, -300)
  world.anchor()
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.equal(result.verdict, 'verified')
  assert.deepEqual(
    result.records.map(({ latenessS }) => latenessS),
    [40, 172_800, 3_600, 3_601, -300],
  )
  assert.deepEqual(result.lateness, { largestS: 172_800, overAnHour: 2 })
})

test('a record that is dated more than five minutes after its block is said to be, and the words count it', async () => {
  const world = new MapWorld()
  world.append('A', 'registration')
  world.append('A', 'tracking', {}, -301)
  world.anchor()
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['verified', ['dated_ahead']])
  assert.deepEqual([result.records[1]?.verdict, result.records[1]?.code], ['anchored', 'dated_ahead'])
  assert.match(result.words, /1 record is dated later/)
})

test('a record of a kind that nobody knows is checked like any other', async () => {
  const world = grownWorld()
  world.append('A', 'weighing' as never, { grams: 4200 })
  world.anchor()
  const bundle = world.bundleOf('A')
  assert.equal((await verifyBundle(bundle, world.ledger())).verdict, 'verified')
  const odd = {
    ...bundle,
    records: bundle.records.with(4, { ...bundle.records[4], kind: 'weighting' } as never),
  }
  assert.equal((await verifyBundle(odd, world.ledger())).verdict, 'broken')
})

test('a ledger that can not be read, or is another one, verifies nothing', async () => {
  const world = grownWorld()
  const bundle = world.bundleOf('A')
  const silent = { ...world.ledger(), anchorsOf: () => Promise.reject(new LedgerError('no answer')) }
  const unreachable = await verifyBundle(bundle, silent)
  assert.deepEqual([unreachable.verdict, codesOf(unreachable)], ['unreachable', ['ledger_unreachable']])
  assert.deepEqual(new Set(verdictsOf(unreachable)), new Set(['unchecked']))
  const other = { ...bundle, ledger: { ...bundle.ledger, chainId: 1 } }
  assert.equal((await verifyBundle(other, world.ledger())).verdict, 'broken')
})

test('whatever the bundle is, the answer is a verdict and not an exception', async () => {
  const world = grownWorld()
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new TypeError('trap')
      },
    },
  )
  for (const odd of [undefined, null, 0, '', [], {}, { v: 1 }, trap, new Map(), 1n]) {
    const result = await verifyBundle(odd, world.ledger())
    assert.deepEqual([result.verdict, codesOf(result), result.records], ['broken', ['malformed'], []])
  }
})
