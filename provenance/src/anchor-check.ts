import type { BundleAnchor, ProofBundle } from './bundle.ts'
import { fromHex } from './digest.ts'
import { anchorLeaf } from './leaf.ts'
import { verifyInclusion } from './merkle.ts'
import { type LedgerProblemOf, ledgerProblem } from './read-ledger.ts'
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

/** What the ledger holds against an anchor, or that it counts other boxes than the tree has. Source: protocol §6.2. */
export const ledgerProblemWithSize: LedgerProblemOf<BundleAnchor> = (anchor, kept, events) =>
  ledgerProblem(anchor, kept, events) ?? (kept?.boxes === anchor.treeSize ? undefined : 'size_mismatch')
