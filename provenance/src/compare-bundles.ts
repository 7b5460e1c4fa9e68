import type { ProofBundle } from './bundle.ts'
import { type Digest, toHex } from './digest.ts'
import { rebuildHistory } from './history.ts'
import { reasonMessages } from './messages.ts'
import { genesisHead, headAfter } from './record.ts'
import type { Reason } from './verdict.ts'

/**
 * Do two bundles of one box tell two histories? Whenever they were made, they must be prefixes of one: the same head
 * at every count that both cover, and no anchor with the same index and another root. Empty when they are; else
 * reasons with the code `forked`. Says nothing about either bundle alone. Source: protocol §6, Two bundles.
 * @throws RangeError when they are of two boxes
 */
export function compareBundles(one: ProofBundle, other: ProofBundle): Reason[] {
  if (one.box !== other.box) throw new RangeError('the bundles are of two boxes')
  return [...headForks(one, other), ...rootForks(one, other)]
}

/** The first count at which the heads differ; all later ones follow from it. */
function headForks(one: ProofBundle, other: ProofBundle): Reason[] {
  const [ours, theirs] = [headsOf(one), headsOf(other)]
  const counts = [...ours.keys()].sort((a, b) => a - b)
  const seq = counts.find((count) => theirs.has(count) && theirs.get(count) !== ours.get(count))
  return seq === undefined ? [] : [{ ...forked(`record ${seq}`), seq }]
}

/** Heads by their count: of the records that are shown in a row, and those that the anchors claim. */
function headsOf(bundle: ProofBundle): Map<number, string> {
  const claimed = bundle.anchors.flatMap(({ leaf, before }) => [leaf, ...(before?.leaf ? [before.leaf] : [])])
  const heads = new Map(claimed.map(({ count, head }) => [count, head]))
  const { bySeq } = rebuildHistory(bundle)
  let head: Digest = genesisHead(bundle.box)
  for (let seq = 1; ; seq++) {
    const entry = bySeq.get(seq)
    if (entry === undefined) return heads
    head = headAfter(head, entry.hash)
    heads.set(seq, toHex(head))
  }
}

function rootForks(one: ProofBundle, other: ProofBundle): Reason[] {
  const sameLedger =
    one.ledger.chainId === other.ledger.chainId && one.ledger.contract === other.ledger.contract
  if (!sameLedger) return []
  const theirs = rootsOf(other)
  return [...rootsOf(one)].flatMap(([index, root]) =>
    (theirs.get(index) ?? root) === root ? [] : [{ ...forked(`anchor ${index}`), anchor: index }],
  )
}

/** Roots by the index of their anchor, those of the states before too. */
const rootsOf = ({ anchors }: ProofBundle): Map<number, string> =>
  new Map(
    anchors.flatMap(({ index, root, before }): [number, string][] => [
      ...(before === null ? [] : ([[index - 1, before.root]] as [number, string][])),
      [index, root],
    ]),
  )

const forked = (about: string): Reason => ({ code: 'forked', words: reasonMessages.forked(about) })
