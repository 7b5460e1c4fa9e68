import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProofBundle } from './bundle.ts'
import { codesOf, threeAnchors, verdictsOf } from './testing/three-anchors.ts'
import { stateOf } from './testing/world.ts'
import { verifyBundle } from './verify.ts'

test('two anchors with different heads for the same records: broken', async () => {
  const world = threeAnchors()
  world.anchorStates([{ ...stateOf('A', world.histories.get('A') ?? []), head: 'ab'.repeat(32) }])
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['head_conflict']])
})

test('an anchor after the one that closed the box: broken', async () => {
  const world = threeAnchors()
  world.append('A', 'seal')
  world.anchor()
  world.anchorStates([stateOf('A', world.histories.get('A') ?? [])])
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_after_seal']])
})

/** The anchors of box A in another arrangement. */
const rearranged = (bundle: ProofBundle, ...order: number[]) => ({
  ...bundle,
  anchors: order.map((at) => bundle.anchors[at]),
})

for (const order of [
  [0, 0, 1, 2],
  [1, 0, 2],
  [0, 1, 2, 2],
  [0, 2, 1],
])
  test(`anchors in the order ${order.join(' ')}: broken`, async () => {
    const world = threeAnchors()
    const result = await verifyBundle(rearranged(world.bundleOf('A'), ...order), world.ledger())
    assert.equal(result.verdict, 'broken')
    assert.ok(codesOf(result).includes('anchor_out_of_order'))
  })

test('an anchor that the chain holds with fewer records than the one before: broken', async () => {
  const world = threeAnchors()
  const history = world.histories.get('A') ?? []
  world.anchorStates([stateOf('A', history.slice(0, 4))])
  const result = await verifyBundle(world.bundleOf('A'), world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['anchor_out_of_order']])
})

test('an anchor in the middle at which the box had not grown does not belong there: broken', async () => {
  const world = threeAnchors()
  const still = world.bundleOf('B')
  world.append('B', 'catch')
  world.anchor()
  const grown = world.bundleOf('B')
  const anchors = [...still.anchors, ...grown.anchors.slice(-1)]
  const result = await verifyBundle({ ...grown, anchors }, world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['anchor_out_of_order']])
})

test('the anchors of another box prove nothing', async () => {
  const world = threeAnchors()
  const result = await verifyBundle(
    { ...world.bundleOf('A'), anchors: world.bundleOf('B').anchors },
    world.ledger(),
  )
  assert.equal(result.verdict, 'broken')
  assert.deepEqual(codesOf(result), ['anchor_of_other_box', 'anchor_of_other_box'])
})

test('a path that does not lead to the root proves nothing, although the ledger holds the root', async () => {
  const world = threeAnchors()
  const bundle = world.bundleOf('A')
  const anchors = bundle.anchors.map((anchor) => ({
    ...anchor,
    path: anchor.path.map(() => 'ab'.repeat(32)),
  }))
  const result = await verifyBundle({ ...bundle, anchors }, world.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', Array(3).fill('proof_mismatch')])
  assert.deepEqual(verdictsOf(result), Array(6).fill('broken'))
})
