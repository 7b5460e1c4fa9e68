import { type Digest, fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import { agreeingLedger } from '@befaqt/provenance/agreeing-ledger'
import { askedOf } from '@befaqt/provenance/asked'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import type { LedgerReader } from '@befaqt/provenance/ledger'
import { LedgerMemory } from '@befaqt/provenance/ledger-memory'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import type { BoxResult } from '@befaqt/provenance/verdict'
import { verifyBundle } from '@befaqt/provenance/verify'
import type { CheckEvent, Found, Memory } from './check-state.ts'
import { matchPage } from './page-differences.ts'
import type { ShownPage } from './proven-page.ts'
import type { RememberedBoxes, RememberedState } from './remembered-boxes.ts'

export type Tell = (event: CheckEvent) => void

/** What to check, and which ledger to believe. */
export type CheckOrder = {
  /** The bundle as a file holds it; without it, the shop's proof of the box is fetched. */
  text?: string
  boxID: string
  /** What was proven before may be believed to be the beginning of it. */
  since?: boolean
  /** It is to prove that there never was such a box. */
  absence?: boolean
  /** The nodes to ask, named by the visitor; none: the one that the bundle names. */
  nodes: readonly string[]
  /** The contract to trust; null: the one that the bundle names. */
  contract: string | null
  /** Zone of record times without offset. */
  timeZone: string
  /** What the page shows; null when the proof is not this page's. */
  page: ShownPage | null
  /** What this browser verified before. */
  remembered: RememberedBoxes
}

/** What each node said before, by its address. */
export type Memories = Map<string, LedgerMemory>

/** A bundle as JSON, where it came from, and what the nodes were asked before. */
export type Proof = { bundle: unknown; from: string; memories?: Memories }

type Named = { rpc: string; contract: string }

/** What the bundle says of its ledger, as far as it can be read; the verifier judges the rest. */
function namedLedger(bundle: unknown): Named {
  const ledger = field(bundle, 'ledger')
  const text = (name: string): string => {
    const value = field(ledger, name)
    return typeof value === 'string' ? value : ''
  }
  return { rpc: text('rpc'), contract: text('contract') }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

/**
 * Checks a proof in this browser: rebuilds every hash, reads the contract, and then rebuilds the page from the proven
 * records. Never rejects: what cannot be checked is said in the answer.
 */
export async function runCheck(order: CheckOrder, proof: Proof, tell: Tell): Promise<CheckEvent> {
  try {
    const began = performance.now()
    const found = await check(order, proof, tell)
    return { type: 'done', ...found, tookMs: performance.now() - began }
  } catch {
    return { type: 'failed', message: 'What this page shows could not be compared with the records.' }
  }
}

async function check(order: CheckOrder, proof: Proof, tell: Tell): Promise<Omit<Found, 'tookMs'>> {
  const named = namedLedger(proof.bundle)
  const isChosen = order.nodes.length > 0
  const read = isChosen ? order.nodes : [named.rpc]
  const contract = order.contract ?? named.contract
  const reader = agreeingLedger(read.map((url) => readerOf(url, contract, proof.memories)))
  const found = await compare(order, proof, reader, tell)
  const asked = await askedOf(reader, { read, isChosen, shop: [proof.from, named.rpc] })
  return { ...found, asked }
}

function readerOf(url: string, contract: string, memories: Memories | undefined): LedgerReader {
  const memory = memories?.get(url) ?? new LedgerMemory()
  memories?.set(url, memory)
  return rpcLedger(url, (address, init) => fetch(address, init), { contract, memory })
}

async function compare(
  { absence, boxID, text, timeZone, page, remembered }: CheckOrder,
  { bundle }: Proof,
  reader: LedgerReader,
  tell: Tell,
): Promise<Pick<Found, 'result' | 'page' | 'memory'>> {
  if (absence) {
    const { verifyAbsence } = await import('@befaqt/provenance/verify-absence')
    return { result: await verifyAbsence(bundle, reader, boxID), page: null, memory: null }
  }
  const result = await verifyBundle(bundle, reader, {
    timeZone,
    ...(text === undefined && { box: boxID }),
    onStep: (step) => tell({ type: 'step', step }),
  })
  const before = remembered.get(result.box ?? '') ?? null
  if (page === null) return { result, page: null, memory: besideMemory(result, before) }
  if (result.records.length === 0) return { result, page: null, memory: null }
  const shaped = bundle as ProofBundle // the verifier has read its records
  if (!isProven(result)) return { result: await pinpointed(result, shaped, page), page: null, memory: null }
  return { result, page: matchPage(page, shaped, result), memory: remember(result, before) }
}

/** Only what was proven is compared with the page; else nothing of it is confirmed anyway. */
const isProven = ({ verdict }: BoxResult): boolean => verdict === 'verified' || verdict === 'verified-up-to'

async function pinpointed(result: BoxResult, bundle: ProofBundle, { view }: ShownPage): Promise<BoxResult> {
  const { pinpoint } = await import('./pinpoint.ts')
  return pinpoint(
    result,
    bundle,
    view.records.map(({ recordHash }) => recordHash),
  )
}

/** A file may be older than what was verified since, and then says nothing of it; one that is broken says it itself. */
const besideMemory = (result: BoxResult, before: RememberedState | null): Memory | null =>
  before !== null && result.verdict !== 'broken' && result.records.length >= before.count
    ? { ...remember(result, before), now: null }
    : null

/** Does this history continue what was seen before? Then it is what to remember. Source: protocol §6, Two bundles. */
export function remember(
  { box, records, upTo }: Pick<BoxResult, 'box' | 'records' | 'upTo'>,
  before: RememberedState | null,
): Memory {
  const heads: Digest[] = [genesisHead(box ?? '')]
  for (const { recordHash } of records) heads.push(headAfter(heads.at(-1) as Digest, fromHex(recordHash)))
  const headAt = (count: number): string => {
    const head = heads[count]
    return head === undefined ? '' : toHex(head)
  }
  if (before !== null && headAt(before.count) !== before.head) return { before, forked: true, now: null }
  const anchor = records[upTo - 1]?.anchor?.index
  if (anchor === undefined || upTo < (before?.count ?? 0)) return { before, forked: false, now: null }
  return {
    before,
    forked: false,
    now: { count: upTo, head: headAt(upTo), anchor, at: new Date().toISOString() },
  }
}
