import { parseJsonText } from '@befaqt/provenance/json-text'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import type { CheckEvent } from './check-state.ts'
import { pageMatches, type SaidRecord, type ShownPage } from './page-match.ts'
import { type CheckedBundle, pinpoint } from './pinpoint.ts'

/** What to check, and which ledger to believe. */
export type CheckOrder = {
  /** The bundle as text, as the shop sent it or as the file holds it. */
  text: string
  /** The node to ask; null: the one that the bundle names. */
  rpc: string | null
  /** The contract to trust; null: the one that the bundle names. */
  contract: string | null
  /** What the page shows; null when the proof is not this page's. */
  page: ShownPage | null
}

type Named = { rpc: string; contract: string }

/** What the bundle says of its ledger, as far as it can be read; the verifier judges the rest. */
function namedLedger(bundle: unknown): Named {
  const ledger = field(bundle, 'ledger')
  return { rpc: String(field(ledger, 'rpc') ?? ''), contract: String(field(ledger, 'contract') ?? '') }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

/**
 * Checks a proof in this browser: rebuilds every hash, then reads the contract. Never rejects: what cannot be
 * checked is said in the answer.
 */
export async function runCheck(order: CheckOrder, tell: (event: CheckEvent) => void): Promise<CheckEvent> {
  const began = performance.now()
  const bundle = readJson(order.text)
  const named = namedLedger(bundle)
  const rpc = order.rpc ?? named.rpc
  const reader = rpcLedger(rpc, (url, init) => fetch(url, init), {
    contract: order.contract ?? named.contract,
  })
  const judged = await verifyBundle(bundle, reader, {
    onStep: (step) => tell({ type: 'step', step }),
  })
  const readable = judged.records.length > 0 // then it has the shape of a bundle
  const result =
    order.page && readable ? pinpoint(judged, bundle as CheckedBundle, order.page.hashes) : judged
  const matches =
    order.page && readable ? pageMatches(order.page, field(bundle, 'records') as SaidRecord[]) : null
  return { type: 'done', result, rpc, tookMs: performance.now() - began, pageMatches: matches }
}

function readJson(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}
