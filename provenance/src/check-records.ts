import type { AnchorOfBox } from './bundle-parts.ts'
import { type Digest, fromHex, sameDigest } from './digest.ts'
import { type Entry, type History, headBetween } from './history.ts'
import type { ReasonCode, RecordVerdict } from './verdict.ts'

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
