import type { ProofBundle } from './bundle.ts'
import { type AnchorOfBox, isWithheld, type ShownHistory } from './bundle-parts.ts'
import { canonicalBytes } from './canonical.ts'
import { type Digest, fromHex, hashesOf, sameDigest, toHex } from './digest.ts'
import { reasonMessages } from './messages.ts'
import { genesisHead, headAfter, recordHash } from './record.ts'
import type { Reason, ReasonCode, RecordVerdict } from './verdict.ts'

/** One record of a bundle with its hash recomputed and what is wrong with its place, if anything. */
export interface Entry {
  readonly seq: number
  readonly hash: Digest
  readonly withheld: boolean
  readonly problem: ReasonCode | undefined
  /** Is it the record that closes a box? Unknown (undefined) when withheld. */
  readonly isSeal: boolean | undefined
}

/** A box's records, hashed, and found by their place. */
export interface History {
  readonly entries: readonly Entry[]
  readonly bySeq: ReadonlyMap<number, Entry>
  /** Highest `seq` shown. */
  readonly last: number
}

/** Hash of every record of a bundle, in their order. */
export const hashRecords = ({ records }: ShownHistory): Promise<Digest[]> =>
  hashesOf(records.map(canonicalBytes))

/**
 * Rebuilds every record hash and looks at box, order and seal of each record. Source: protocol §6.1.
 * @param hashes what `hashRecords` made of this very bundle; without it they are made here
 */
export function rebuildHistory(bundle: ShownHistory, hashes?: readonly Digest[]): History {
  const bySeq = new Map<number, Entry>()
  let last = 0
  let closed = false
  const entries = bundle.records.map((record, i): Entry => {
    const withheld = isWithheld(record)
    const entry = {
      seq: record.seq,
      hash: withheld ? fromHex(record.recordHash) : (hashes?.[i] ?? recordHash(record)),
      withheld,
      isSeal: withheld ? undefined : record.kind === 'seal',
      problem: placeProblem(record.seq <= last, !withheld && record.box !== bundle.box, closed),
    }
    if (!bySeq.has(entry.seq)) bySeq.set(entry.seq, entry)
    last = Math.max(last, entry.seq)
    closed ||= entry.isSeal === true
    return entry
  })
  return { entries, bySeq, last }
}

function placeProblem(outOfPlace: boolean, otherBox: boolean, closed: boolean): ReasonCode | undefined {
  if (outOfPlace) return 'record_out_of_place'
  if (otherBox) return 'record_of_other_box'
  return closed ? 'record_after_seal' : undefined
}

/** The places from 1 to `last` at which no record was shown. */
export function missingSeqs({ bySeq, last }: History): number[] {
  const missing: number[] = []
  // A hostile bundle may show record 1,000,000 alone: a few gaps are enough to tell.
  for (let seq = 1; seq <= last && missing.length < 10; seq++) if (!bySeq.has(seq)) missing.push(seq)
  return missing
}

/** The head after records `from + 1` to `to`, starting at the head of `from`; undefined when one is not shown. */
export function headBetween(history: History, head: Digest, from: number, to: number): Digest | undefined {
  let at = head
  for (let seq = from + 1; seq <= to; seq++) {
    const entry = history.bySeq.get(seq)
    if (entry === undefined) return undefined
    at = headAfter(at, entry.hash)
  }
  return at
}

/** An anchor of the bundle with what is wrong with it, if anything. */
export interface CheckedAnchor {
  readonly anchor: AnchorOfBox
  readonly problem: ReasonCode | undefined
}

/**
 * The records after `from` up to and with `to`, which one trusted anchor answers for: it starts at a head that the
 * ledger holds and ends at one, so a change inside it can't hide and can't spoil the segments beside it.
 */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly anchor: AnchorOfBox
  readonly outcome: 'same' | 'record_missing' | 'head_mismatch'
}

/** Cuts the history at the anchors without a problem and compares each cut's head. Source: protocol §6.2. */
export function compareSegments(
  history: History,
  genesis: Digest,
  checked: readonly CheckedAnchor[],
): Segment[] {
  const segments: Segment[] = []
  let head = genesis
  let from = 0
  for (const { anchor, problem } of checked) {
    const { count: to, head: wanted } = anchor.leaf
    if (problem !== undefined || to < from) continue
    const found = headBetween(history, head, from, to)
    head = fromHex(wanted)
    segments.push({ from, to, anchor, outcome: outcomeOf(found, head) })
    from = to
  }
  return segments
}

function outcomeOf(found: Digest | undefined, wanted: Digest): Segment['outcome'] {
  if (found === undefined) return 'record_missing'
  return sameDigest(found, wanted) ? 'same' : 'head_mismatch'
}

/** A record's verdict with its reason and, when an anchor proves it, that anchor. */
export interface RecordCheck {
  readonly verdict: RecordVerdict
  readonly code: ReasonCode | 'anchored' | 'pending' | 'withheld'
  readonly anchor: AnchorOfBox | null
  /** The records that the reason may concern, when they are more than this one. */
  readonly segment?: Segment
}

/** Judges every entry, in order. `unread`: why the chain could not be compared, if so. Source: protocol §6.4. */
export function checkRecords(
  history: History,
  segments: readonly Segment[],
  checked: readonly CheckedAnchor[],
  unread: ReasonCode | undefined,
): RecordCheck[] {
  const segmentOf = new Map<number, Segment>()
  for (const segment of segments)
    for (let seq = segment.from + 1; seq <= Math.min(segment.to, history.last); seq++)
      segmentOf.set(seq, segment)
  const claimed = checked.reduce((most, { anchor }) => Math.max(most, anchor.leaf.count), 0)
  const sealedAt = segments.find(({ anchor }) => anchor.leaf.sealed)?.to ?? Number.POSITIVE_INFINITY
  return history.entries.map((entry) => {
    const segment = segmentOf.get(entry.seq)
    const problem = entry.problem ?? sealProblem(entry, segment, sealedAt)
    if (problem !== undefined) return { verdict: 'broken', code: problem, anchor: null }
    if (segment !== undefined) return judgeCovered(entry, segment, unread)
    if (entry.seq <= claimed) return { verdict: 'broken', code: 'anchor_failed', anchor: null }
    return { verdict: 'pending', code: 'pending', anchor: null }
  })
}

function sealProblem(entry: Entry, segment: Segment | undefined, sealedAt: number): ReasonCode | undefined {
  if (entry.seq > sealedAt) return 'record_after_seal'
  const endsSegment = segment?.outcome === 'same' && segment.to === entry.seq
  const differs = endsSegment && entry.isSeal !== undefined && entry.isSeal !== segment.anchor.leaf.sealed
  return differs ? 'seal_mismatch' : undefined
}

function judgeCovered(entry: Entry, segment: Segment, unread: ReasonCode | undefined): RecordCheck {
  const { outcome, anchor } = segment
  if (outcome === 'head_mismatch') return { verdict: 'broken', code: outcome, anchor: null, segment }
  if (outcome === 'record_missing') return { verdict: 'unchecked', code: outcome, anchor: null }
  if (unread !== undefined) return { verdict: 'unchecked', code: unread, anchor: null }
  const verdict = entry.withheld ? 'withheld' : 'anchored'
  return { verdict, code: verdict, anchor }
}

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
