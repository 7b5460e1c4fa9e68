import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProofBundle } from './bundle.ts'
import { stateOf } from './testing/shop.ts'
import { codesOf, threeAnchors, verdictsOf } from './testing/three-anchors.ts'
import { verifyBundle } from './verify.ts'

test('two anchors with different heads for the same records: broken', async () => {
  const shop = threeAnchors()
  shop.anchorStates([{ ...stateOf('A', shop.histories.get('A') ?? []), head: 'ab'.repeat(32) }])
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['head_conflict']])
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
    const shop = threeAnchors()
    const result = await verifyBundle(rearranged(shop.bundleOf('A'), ...order), shop.ledger())
    assert.equal(result.verdict, 'broken')
    assert.ok(codesOf(result).includes('anchor_out_of_order'))
  })

test('an anchor that the chain holds with fewer records than the one before: broken', async () => {
  const shop = threeAnchors()
  const history = shop.histories.get('A') ?? []
  shop.anchorStates([stateOf('A', history.slice(0, 4))])
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['anchor_out_of_order']])
})

test('an anchor in the middle at which the box had not grown does not belong there: broken', async () => {
  const shop = threeAnchors()
  const still = shop.bundleOf('B')
  shop.append('B', 'catch')
  shop.anchor()
  const grown = shop.bundleOf('B')
  const anchors = [...still.anchors, ...grown.anchors.slice(-1)]
  const result = await verifyBundle({ ...grown, anchors }, shop.ledger())
  assert.equal(result.verdict, 'broken')
  assert.ok(codesOf(result).includes('anchor_out_of_order'))
})

test('the anchors of another box prove nothing', async () => {
  const shop = threeAnchors()
  const result = await verifyBundle(
    { ...shop.bundleOf('A'), anchors: shop.bundleOf('B').anchors },
    shop.ledger(),
  )
  assert.equal(result.verdict, 'broken')
  assert.deepEqual(codesOf(result), ['anchor_of_other_box', 'anchor_of_other_box'])
})

test('a path that does not lead to the root proves nothing, although the ledger holds the root', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const anchors = bundle.anchors.map((anchor) => ({
    ...anchor,
    path: anchor.path.map(() => 'ab'.repeat(32)),
  }))
  const result = await verifyBundle({ ...bundle, anchors }, shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', Array(3).fill('proof_mismatch')])
  assert.deepEqual(verdictsOf(result), Array(6).fill('broken'))
})
