import { verifyBox } from './box-map.ts'
import type { BundleAnchor, ProofBundle } from './bundle.ts'
import type { BoxState } from './leaf.ts'
import type { LedgerAnchor } from './ledger.ts'
import type { ReasonCode } from './verdict.ts'

/**
 * What is wrong with anchor number `position` of the bundle, seen without the chain: its box, its order after the
 * one before, its way up to the root. Source: protocol §5 and §6.2.
 */
export function proofProblem({ box, anchors }: ProofBundle, position: number): ReasonCode | undefined {
  const anchor = anchors[position]
  if (anchor === undefined) return 'malformed'
  if (anchor.leaf.box !== box) return 'anchor_of_other_box'
  const former = anchors[position - 1]
  const isLast = position === anchors.length - 1
  const order = former && orderProblem(former, anchor, isLast)
  if (order !== undefined) return order
  const { root, leaf, path } = anchor
  return verifyBox(box, { leaf, other: null, path }, root) ? undefined : 'proof_mismatch'
}

function orderProblem(former: BundleAnchor, anchor: BundleAnchor, isLast: boolean): ReasonCode | undefined {
  if (anchor.index <= former.index || anchor.leaf.count < former.leaf.count) return 'anchor_out_of_order'
  if (anchor.leaf.count > former.leaf.count) return former.leaf.sealed ? 'record_after_seal' : undefined
  if (!isLast) return 'anchor_out_of_order' // only the newest anchor may repeat a count
  return sameState(anchor.leaf, former.leaf) ? undefined : 'head_conflict'
}

const sameState = (a: BoxState, b: BoxState): boolean =>
  a.count === b.count && a.head === b.head && a.sealed === b.sealed

/** Where the state before an anchor is to be found. Source: protocol §5 and §6.3. */
type Continuity =
  | 'first_of_ledger' // there is no anchor before it, so no box had a state
  | 'not_grown' // the newest anchor repeats the one before it in the bundle
  | 'neighbour' // the anchor before it in the bundle has the index before
  | 'shown' // `before` has to prove it

function continuityOf({ anchors }: ProofBundle, position: number): Continuity {
  const [former, anchor] = [anchors[position - 1], anchors[position]]
  if (former !== undefined && anchor?.leaf.count === former.leaf.count) return 'not_grown'
  if (anchor?.index === 0) return 'first_of_ledger'
  return former !== undefined && former.index + 1 === anchor?.index ? 'neighbour' : 'shown'
}

/** Indexes of the anchors whose roots `continuityProblem` compares: the ones before those that show a state before. */
export const indexesBefore = ({ anchors }: ProofBundle): number[] =>
  anchors.flatMap(({ before, index }) => (before === null || index === 0 ? [] : [index - 1]))

/**
 * Does anchor number `position` not continue the one before it in the bundle? Then the history was rewritten between
 * them, or growth was left out. `kept`: what the ledger holds, by index; undefined while it was not read.
 * Source: protocol §6.3.
 */
export function continuityProblem(
  bundle: ProofBundle,
  position: number,
  kept: ReadonlyMap<number, LedgerAnchor> | undefined,
): ReasonCode | undefined {
  const anchor = bundle.anchors[position]
  if (anchor === undefined) return 'malformed'
  const { before, index } = anchor
  if (continuityOf(bundle, position) !== 'shown') return before === null ? undefined : 'before_out_of_place'
  if (before === null) return 'not_continued'
  if (!verifyBox(bundle.box, before, before.root)) return 'before_mismatch'
  if (kept !== undefined && kept.get(index - 1)?.root !== before.root) return 'before_root_mismatch'
  const former = bundle.anchors[position - 1]?.leaf
  if (former === undefined) return before.leaf === null ? undefined : 'not_continued'
  return before.leaf !== null && sameState(before.leaf, former) ? undefined : 'not_continued'
}
