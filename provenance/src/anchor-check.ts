import type { BundleAnchor, ProofBundle } from './bundle.ts'
import { fromHex } from './digest.ts'
import { anchorLeaf } from './leaf.ts'
import type { AnchorEvent, LedgerAnchor } from './ledger.ts'
import { verifyInclusion } from './merkle.ts'
import { blockTimeSeconds } from './timestamps.ts'
import type { ReasonCode } from './verdict.ts'

/**
 * What is wrong with anchor number `position` of the bundle, seen without the chain: its box, its order after the
 * one before, its way up to the root. Source: protocol §5 and §6.2.
 */
export function proofProblem(bundle: ProofBundle, position: number): ReasonCode | undefined {
  const anchor = bundle.anchors[position]
  if (anchor === undefined) return 'malformed'
  if (anchor.leaf.box !== bundle.box) return 'anchor_of_other_box'
  const before = bundle.anchors[position - 1]
  const isLast = position === bundle.anchors.length - 1
  return (before && orderProblem(before, anchor, isLast)) ?? inclusionProblem(anchor)
}

function orderProblem(before: BundleAnchor, anchor: BundleAnchor, isLast: boolean): ReasonCode | undefined {
  if (anchor.index <= before.index || anchor.leaf.count < before.leaf.count) return 'anchor_out_of_order'
  if (before.leaf.sealed) return 'record_after_seal'
  if (anchor.leaf.count > before.leaf.count) return undefined
  if (!isLast) return 'anchor_out_of_order' // only the newest anchor may repeat a count
  return anchor.leaf.head === before.leaf.head && !anchor.leaf.sealed ? undefined : 'head_conflict'
}

function inclusionProblem({ leaf, leafIndex, treeSize, path, root }: BundleAnchor): ReasonCode | undefined {
  const proof = { leafIndex, treeSize, path: path.map(fromHex) }
  return verifyInclusion(anchorLeaf(leaf), proof, fromHex(root)) ? undefined : 'proof_mismatch'
}

/**
 * What is wrong with an anchor compared with what the ledger holds at its index (`kept`; undefined: nothing) and with
 * the `Anchored` events of its transaction. Source: protocol §6.2.
 */
export function ledgerProblem(
  anchor: BundleAnchor,
  kept: LedgerAnchor | undefined,
  events: readonly AnchorEvent[],
): ReasonCode | undefined {
  const time = blockTimeSeconds(anchor.time)
  if (kept === undefined) return 'anchor_unknown'
  if (kept.root !== anchor.root) return 'root_mismatch'
  if (kept.time !== time) return 'time_mismatch'
  if (kept.boxes !== anchor.treeSize) return 'size_mismatch'
  const event = events.find(({ index, root }) => index === anchor.index && root === anchor.root)
  if (event === undefined) return 'transaction_mismatch'
  const sameBlock = event.blockNumber === anchor.blockNumber && event.blockTime === time
  return sameBlock ? undefined : 'block_mismatch'
}
