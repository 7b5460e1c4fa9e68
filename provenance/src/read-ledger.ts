import { ledgerProblem } from './anchor-check.ts'
import type { BundleAnchor, ProofBundle } from './bundle.ts'
import { LedgerError, type LedgerReader } from './ledger.ts'
import type { ReasonCode } from './verdict.ts'

/** What the ledger said about a bundle. `problems` has one entry for each anchor of the bundle. */
export type LedgerFinding =
  | { readonly kind: 'read'; readonly count: number; readonly problems: readonly (ReasonCode | undefined)[] }
  | { readonly kind: 'other_chain' | 'other_contract' }
  | { readonly kind: 'unreachable'; readonly detail: string }

/** Compares the bundle's anchors with the ledger. Never rejects: what the reader throws is `unreachable`. */
export async function readLedger(reader: LedgerReader, bundle: ProofBundle): Promise<LedgerFinding> {
  try {
    const identity = reader.identity()
    const counted = reader.count()
    counted.catch(() => undefined) // on another chain there may be nothing to count, which is no failure
    const { chainId, contract } = await identity
    if (chainId !== bundle.ledger.chainId) return { kind: 'other_chain' }
    if (contract !== bundle.ledger.contract) return { kind: 'other_contract' }
    const count = await newestCount(reader, checkedCount(await counted), bundle.anchors.at(-1))
    return { kind: 'read', count, problems: await compareAnchors(reader, bundle.anchors, count) }
  } catch (cause) {
    return { kind: 'unreachable', detail: cause instanceof Error ? cause.message : 'the reader failed' }
  }
}

/**
 * How many anchors the ledger holds; asked once more when the first answer doesn't fit the proof, for an anchor may
 * just have landed, and of two nodes behind one address one may lag. Anchors are never taken away, so the higher
 * answer is the newer one. Source: protocol §6.3.
 */
async function newestCount(
  reader: LedgerReader,
  first: number,
  newest: BundleAnchor | undefined,
): Promise<number> {
  if (newest === undefined) return first
  const fits = newest.leaf.sealed ? first > newest.index : first === newest.index + 1
  return fits ? first : Math.max(first, checkedCount(await reader.count()))
}

function checkedCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new LedgerError('the ledger gave no sound number of anchors')
  return count
}

async function compareAnchors(
  reader: LedgerReader,
  anchors: readonly BundleAnchor[],
  count: number,
): Promise<(ReasonCode | undefined)[]> {
  const known = anchors.filter(({ index }) => index < count)
  if (!reader.live && known.length < anchors.length)
    throw new LedgerError(
      `this copy of the ledger ends at anchor ${count - 1}, before the newest one of the proof`,
    )
  if (known.length === 0) return anchors.map(() => 'anchor_unknown')
  const [kept, events] = await Promise.all([
    reader.anchorsOf(known.map(({ index }) => index)),
    reader.eventsOf(known.map(({ txHash }) => txHash)),
  ])
  if (kept.length !== known.length || events.length !== known.length)
    throw new LedgerError('the ledger answered for another number of anchors than it was asked for')
  const answers = new Map(known.map((anchor, i) => [anchor, { kept: kept[i], events: events[i] ?? [] }]))
  return anchors.map((anchor) => {
    const answer = answers.get(anchor)
    return answer ? ledgerProblem(anchor, answer.kept, answer.events) : 'anchor_unknown'
  })
}
