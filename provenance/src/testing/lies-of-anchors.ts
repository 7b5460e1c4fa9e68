import assert from 'node:assert/strict'
import { anchorBox, marketShop, recordsOf, rewrite, withAnchor, withNewestOnly } from './dishonest-server.ts'
import type { Lie } from './lies-of-records.ts'
import { stateOf } from './shop.ts'

/** The shop writes an anchor to the ledger that does not extend the one before. */
export const rewritten: readonly Lie[] = [
  [
    'at once, in the next anchor',
    'head_conflict',
    (shop) => {
      rewrite(shop)
      anchorBox(shop)
      return shop.bundleOf('A')
    },
  ],
  [
    'at once, with the anchors before hidden',
    'not_continued',
    (shop) => {
      rewrite(shop)
      anchorBox(shop)
      return withNewestOnly(shop)
    },
  ],
  [
    'later, with the next growth',
    'head_mismatch',
    (shop) => {
      rewrite(shop)
      shop.append('A', 'tracking', { temperature: 1 })
      anchorBox(shop)
      return shop.bundleOf('A')
    },
  ],
  [
    'later, with the anchors before hidden',
    'not_continued',
    (shop) => {
      rewrite(shop)
      shop.append('A', 'tracking', { temperature: 1 })
      anchorBox(shop)
      return withNewestOnly(shop)
    },
  ],
  [
    'in two anchors, the older state shown last',
    'anchor_out_of_order',
    (shop) => {
      anchorBox(shop, recordsOf(shop).slice(0, 3))
      const bundle = shop.bundleOf('A')
      const { root, leaf, path } = shop.proofOf(6, 'A')
      const newest = bundle.anchors.at(-1) ?? assert.fail()
      return {
        ...bundle,
        anchors: [...bundle.anchors.slice(0, -1), { ...newest, root, leaf: leaf ?? assert.fail(), path }],
      }
    },
  ],
  [
    'the seal undone',
    'record_after_seal',
    (shop) => {
      shop.append('A', 'seal')
      shop.anchor()
      shop.append('A', 'tracking', { temperature: 1 })
      shop.anchor()
      return shop.bundleOf('A')
    },
  ],
  [
    'the seal taken from the state',
    'head_conflict',
    (shop) => {
      shop.append('A', 'seal')
      shop.anchor()
      shop.anchorStates([{ ...stateOf('A', recordsOf(shop)), sealed: false }])
      return shop.bundleOf('A')
    },
  ],
  [
    'a state called sealed that is not',
    'seal_mismatch',
    (shop) => {
      shop.append('A', 'tracking')
      shop.anchorStates([{ ...stateOf('A', recordsOf(shop)), sealed: true }])
      return shop.bundleOf('A')
    },
  ],
]

/** The shop shows other anchors than the ledger holds. */
export const otherAnchors: readonly Lie[] = [
  [
    'a second state of the box beside the one in the map',
    'proof_mismatch',
    withAnchor(2, (shop, one) => ({
      leaf: { ...one.leaf, head: stateOf('B', shop.histories.get('B') ?? []).head },
    })),
  ],
  [
    'a second state, under a root of the server’s own',
    'root_mismatch',
    (shop) => {
      const other = marketShop()
      other.anchors.pop()
      rewrite(other)
      anchorBox(other)
      return { ...withNewestOnly(other), ledger: shop.bundleOf('A').ledger }
    },
  ],
  [
    'the path of another box',
    'proof_mismatch',
    withAnchor(1, (shop) => ({ path: shop.proofOf(3, 'B').path })),
  ],
  [
    'another anchor’s transaction',
    'transaction_mismatch',
    withAnchor(1, (shop) => ({ txHash: shop.bundleOf('A').anchors[2]?.txHash ?? '' })),
  ],
  ['an earlier time', 'time_mismatch', withAnchor(1, () => ({ time: '2026-11-20T00:00:00Z' }))],
  [
    'an earlier block',
    'block_mismatch',
    withAnchor(1, (_shop, one) => ({ blockNumber: one.blockNumber - 1 })),
  ],
  [
    'an anchor of growth hidden',
    'not_continued',
    (shop) => ({ ...shop.bundleOf('A'), anchors: shop.bundleOf('A').anchors.toSpliced(1, 1) }),
  ],
  ['an anchor that the ledger does not hold', 'anchor_unknown', withAnchor(3, () => ({ index: 9 }))],
  ['a first anchor without the absence before it', 'not_continued', withAnchor(0, () => ({ before: null }))],
  [
    'a state before from another anchor',
    'before_root_mismatch',
    withAnchor(1, (shop) => ({ before: shop.proofOf(1, 'A') })),
  ],
  [
    'a state before that another box had',
    'before_mismatch',
    withAnchor(1, (shop) => ({ before: shop.proofOf(2, 'B') })),
  ],
  [
    'another contract',
    'other_contract',
    (shop) => ({
      ...shop.bundleOf('A'),
      ledger: { ...shop.bundleOf('A').ledger, contract: `0x${'1'.repeat(40)}` },
    }),
  ],
  [
    'another chain',
    'other_chain',
    (shop) => ({ ...shop.bundleOf('A'), ledger: { ...shop.bundleOf('A').ledger, chainId: 1 } }),
  ],
]
