import { verifyBox } from './box-map.ts'
import type { BundleAnchor, ProofBundle } from './bundle.ts'
import type { AnchorFacts, LedgerAddress } from './bundle-parts.ts'
import type { BoxState } from './leaf.ts'
import { type AnchorEvent, type LedgerAnchor, LedgerError, type LedgerReader } from './ledger.ts'
import { blockTimeSeconds } from './validate.ts'
import type { ReasonCode } from './verdict.ts'

/** The question to a ledger: does it hold these anchors, and is the newest of them its newest? */
export interface LedgerQuestion {
  readonly ledger: LedgerAddress
  /** Oldest first. */
  readonly anchors: readonly AnchorFacts[]
  /** The box is sealed in the newest of them, so that newer ones don't matter. */
  readonly sealed: boolean
  /** Indexes of other anchors to read, below the highest of those. */
  readonly alsoRead?: readonly number[]
}

/** What the ledger said. `problems` has one entry for each anchor in question. */
export type LedgerFinding =
  | {
      readonly kind: 'read'
      readonly count: number
      readonly problems: readonly (ReasonCode | undefined)[]
      /** What the ledger holds, by index. */
      readonly kept: ReadonlyMap<number, LedgerAnchor>
    }
  | { readonly kind: 'other_chain' | 'other_contract' }
  | { readonly kind: 'unreachable'; readonly detail: string }

/** Why records could not be compared with the ledger; undefined when it was read. */
export const unreadCode = (ledger: LedgerFinding): ReasonCode | undefined =>
  ledger.kind === 'read' ? undefined : ledger.kind === 'unreachable' ? 'ledger_unreachable' : ledger.kind

/** Compares anchors with the ledger. Never rejects: what the reader throws is `unreachable`. */
export async function readLedger(reader: LedgerReader, question: LedgerQuestion): Promise<LedgerFinding> {
  try {
    const identity = reader.identity()
    const counted = reader.count()
    counted.catch(() => undefined) // on another chain there may be nothing to count, which is no failure
    const { chainId, contract } = await identity
    if (chainId !== question.ledger.chainId) return { kind: 'other_chain' }
    if (contract !== question.ledger.contract) return { kind: 'other_contract' }
    const count = await newestCount(reader, checkedCount(await counted), question)
    return { kind: 'read', count, ...(await compareAnchors(reader, question, count)) }
  } catch (cause) {
    return { kind: 'unreachable', detail: cause instanceof Error ? cause.message : 'the reader failed' }
  }
}

/**
 * How many anchors the ledger holds; read once more when the first count doesn't fit the proof, since an anchor may
 * just have landed, and of two nodes behind one address one may lag. Anchors are never taken away, so the higher
 * answer is the newer one. Source: protocol §6.4.
 */
async function newestCount(
  reader: LedgerReader,
  first: number,
  { anchors, sealed }: LedgerQuestion,
): Promise<number> {
  const newest = anchors.at(-1)
  if (newest === undefined) return first
  const fits = sealed ? first > newest.index : first === newest.index + 1
  return fits ? first : Math.max(first, checkedCount(await reader.count()))
}

function checkedCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new LedgerError('the ledger gave no valid number of anchors')
  return count
}

async function compareAnchors(
  reader: LedgerReader,
  { anchors, alsoRead = [] }: LedgerQuestion,
  count: number,
) {
  const known = anchors.filter(({ index }) => index < count)
  if (!reader.live && known.length < anchors.length)
    throw new LedgerError(
      `this copy of the ledger ends at anchor ${count - 1}, before the newest one of the proof`,
    )
  const indexes = [...known.map(({ index }) => index), ...alsoRead.filter((index) => index < count)]
  if (indexes.length === 0)
    return { problems: anchors.map(() => 'anchor_unknown' as const), kept: new Map<number, LedgerAnchor>() }
  const [held, events] = await Promise.all([
    reader.anchorsOf(indexes),
    reader.eventsOf(known.map(({ txHash }) => txHash)),
  ])
  if (held.length !== indexes.length || events.length !== known.length)
    throw new LedgerError('the ledger answered for another number of anchors than it was asked for')
  const kept = new Map(held.map((anchor, i) => [indexes[i] ?? -1, anchor]))
  const eventsOf = new Map(known.map((anchor, i) => [anchor, events[i] ?? []]))
  const problems = anchors.map((anchor) => {
    const found = eventsOf.get(anchor)
    return found ? ledgerProblem(anchor, kept.get(anchor.index), found) : 'anchor_unknown'
  })
  return { problems, kept }
}

/**
 * What is wrong with an anchor compared with what the ledger holds at its index (`kept`; undefined: nothing) and with
 * the `Anchored` events of its transaction. Source: protocol §6.2.
 */
function ledgerProblem(
  anchor: AnchorFacts,
  kept: LedgerAnchor | undefined,
  events: readonly AnchorEvent[],
): ReasonCode | undefined {
  const time = blockTimeSeconds(anchor.time)
  if (kept === undefined) return 'anchor_unknown'
  if (kept.root !== anchor.root) return 'root_mismatch'
  if (kept.time !== time) return 'time_mismatch'
  const event = events.find(({ index, root }) => index === anchor.index && root === anchor.root)
  if (event === undefined) return 'transaction_mismatch'
  const sameBlock = event.blockNumber === anchor.blockNumber && event.blockTime === time
  return sameBlock ? undefined : 'block_mismatch'
}

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
