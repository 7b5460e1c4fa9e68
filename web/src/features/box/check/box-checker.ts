import { urlOf } from '@befaqt/domain/api/endpoint'
import { readAbsence, readProof, readProofNews } from '@befaqt/domain/api/endpoints/boxes'
import { askedOf, withWitnesses } from '@befaqt/provenance/asked'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { positionOf, withNews } from '@befaqt/provenance/bundle'
import { parseJsonText } from '@befaqt/provenance/canonical'
import type { LedgerReader } from '@befaqt/provenance/ledger'
import { agreeingLedger } from '@befaqt/provenance/ledger'
import type { Policy } from '@befaqt/provenance/log/policy'
import { LedgerMemory, rpcLedger } from '@befaqt/provenance/rpc-ledger'
import type { BoxResult } from '@befaqt/provenance/verdict'
import { verifyBundle } from '@befaqt/provenance/verify'
import { besideMemory, remember } from './box-memory.ts'
import { type CheckEvent, type Found, mayBeStale } from './check-state.ts'
import type { RememberedBoxes } from './kept-by-browser.ts'
import type { SeenNote } from './kept-log.ts'
import { matchPage, type ShownPage } from './page-match.ts'

/** What was proven of the page's box, by which nodes and contract: only what came since needs to be fetched. */
type Proven = Pick<CheckOrder, 'contract'> & { nodes: string; bundle: ProofBundle; memories: Memories }

/** The text at a URL; undefined when there is none. Rejects when the shop can't be reached. */
type Get = (url: string) => Promise<string | undefined>

/** What this browser keeps of the shop's log: the newest that it saw, and the state of now where it saw none. */
type LogMemory = { kept: () => Promise<SeenNote | null>; keepFirst: (get: Get) => Promise<void> }

const NOT_FETCHED = 'The proof could not be fetched. Check your connection and try again.'
const NO_ABSENCE = 'The shop gave no proof that this box was never recorded.'

/**
 * The checks of one page, one after the other. What was proven of the page's box is remembered, so that the next check
 * fetches what came since alone. Both together are checked as if they had come as one; unless that proves them too, the
 * whole is fetched, and only what is found of that counts.
 */
export class BoxChecker {
  readonly #get: Get
  readonly #from: string
  readonly #log: LogMemory | undefined
  #proven: Proven | undefined

  /** @param from the address of the shop's pages @param log without it nothing is kept */
  constructor(getText: Get, from: string, log?: LogMemory) {
    this.#get = getText
    this.#from = from
    this.#log = log
  }

  /** Does what an order asks for. Never rejects: what cannot be checked is said in the answer. */
  async run(order: CheckOrder, tell: Tell): Promise<CheckEvent> {
    if (order.text !== undefined) return this.#check(order, { bundle: readJson(order.text) }, tell)
    const former = this.#former(order)
    const found = former && (await this.#checkNews(order, former, tell))
    if (found !== undefined) return found
    if (former !== undefined) tell({ type: 'start', source: { from: 'shop' } })
    return this.#checkWhole(order, tell)
  }

  #check(order: CheckOrder, proof: Omit<Proof, 'from'>, tell: Tell) {
    return runCheck(order, { ...proof, from: this.#from }, tell)
  }

  /** News of a proof bring no log, so with a policy the whole is fetched. */
  #former({ since, boxID, nodes, contract, policy }: CheckOrder): Proven | undefined {
    const proven = this.#proven
    const fits =
      proven?.bundle.box === boxID && proven.nodes === nodes.join(' ') && proven.contract === contract
    return since && fits && policy === null ? proven : undefined
  }

  /** undefined unless what is known of the box and its news are proven together, or only wait for the ledger's newest. */
  async #checkNews(order: CheckOrder, former: Proven, tell: Tell): Promise<CheckEvent | undefined> {
    const bundle = await this.#joined(order, former.bundle)
    if (bundle === undefined) return undefined
    const found = await this.#check(order, { bundle, memories: former.memories }, tell)
    if (mayBeStale(found)) return found
    if (!provesPage(found)) return undefined
    this.#proven = { ...former, bundle }
    return found
  }

  async #joined({ boxID }: CheckOrder, former: ProofBundle): Promise<ProofBundle | undefined> {
    try {
      const after = positionOf(former)
      const query = { after, scales: '1' } as const
      const news = await this.#get(urlOf(readProofNews, { params: { boxID }, query }))
      if (news === undefined) return undefined
      return withNews(former, parseJsonText(news)) as ProofBundle // the verifier reads it
    } catch {
      return undefined
    }
  }

  async #checkWhole(order: CheckOrder, tell: Tell): Promise<CheckEvent> {
    this.#proven = undefined
    const { boxID, absence, nodes, contract, policy } = order
    const message = absence ? NO_ABSENCE : NOT_FETCHED
    const params = { boxID }
    const seen = absence ? null : await this.#log?.kept()
    const isLogged = policy !== null || seen
    const query: { log?: '1'; scales?: '1' } = isLogged ? { log: '1' } : {}
    const url = () => (absence ? urlOf(readAbsence, { params }) : urlOf(readProof, { params, query }))
    let text = await this.#get(url()).catch(() => null)
    if (text && lacksScales(text)) {
      query.scales = '1'
      text = await this.#get(url()).catch(() => null)
    }
    if (text == null) return { type: 'failed', message: text === null ? NOT_FETCHED : message }
    const [bundle, memories]: [unknown, Memories] = [readJson(text), new Map()]
    const found = await this.#check(order, { bundle, memories, seen }, tell)
    if (!provesPage(found)) return found
    const proven = bundle as ProofBundle
    const plain = seen ? (await import('./beside-seen.ts')).withoutLog(proven) : proven
    this.#proven = { bundle: plain, memories, nodes: nodes.join(' '), contract }
    if (!seen) void this.#log?.keepFirst(this.#get)
    return found
  }
}

/**
 * Has a scale signed a weight, and is no register there? It has to be asked for, since verifiers from before refuse it beside
 * records of which none has `signed`.
 */
const lacksScales = (text: string): boolean => text.includes('"weighed":') && !text.includes('"devices":')

/** Was everything proven, and does the page show nothing else? */
const provesPage = (found: CheckEvent): boolean =>
  found.type === 'done' &&
  found.memory?.forked === false &&
  found.seen === undefined &&
  (found.page?.kind === 'same' || found.page?.kind === 'older')

function readJson(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

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
  /** Text of the visitor's policy, never of the shop's; null: none. */
  policy: string | null
  /** Zone of record times without offset. */
  timeZone: string
  /** What the page shows; null when the proof is not this page's. */
  page: ShownPage | null
  /** What this browser verified before. */
  remembered: RememberedBoxes
}

/** What each node said before, by its address. */
type Memories = Map<string, LedgerMemory>

/** A bundle as JSON, where it came from, what the nodes were asked before, and what this browser saw of the log. */
type Proof = { bundle: unknown; from: string; memories?: Memories; seen?: SeenNote | null | undefined }

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
async function runCheck(order: CheckOrder, proof: Proof, tell: Tell): Promise<CheckEvent> {
  try {
    const began = performance.now()
    const found = await check(order, proof, tell)
    return { type: 'done', ...found, tookMs: performance.now() - began }
  } catch (error) {
    const message = error instanceof NoPolicy ? NO_POLICY : NOT_COMPARED
    return { type: 'failed', message }
  }
}

const NOT_COMPARED = 'What this page shows could not be compared with the records.'
const NO_POLICY = 'The policy that this browser keeps could not be read. Forget it, or choose another.'

class NoPolicy extends Error {}

async function readPolicy(text: string): Promise<Policy> {
  const { parsePolicy } = await import('@befaqt/provenance/log/policy')
  try {
    return parsePolicy(new TextEncoder().encode(text))
  } catch {
    throw new NoPolicy()
  }
}

async function check(order: CheckOrder, proof: Proof, tell: Tell): Promise<Omit<Found, 'tookMs'>> {
  const named = namedLedger(proof.bundle)
  const policy = order.policy === null ? undefined : await readPolicy(order.policy)
  const isChosen = order.nodes.length > 0
  const read = isChosen ? order.nodes : [named.rpc]
  const contract = order.contract ?? named.contract
  const reader = agreeingLedger(read.map((url) => readerOf(url, contract, proof.memories)))
  const counts: number[] = []
  const count = async () => {
    const told = await reader.count()
    counts.push(told)
    return told
  }
  const found = await compare(order, proof, { reader: { ...reader, count }, policy }, tell)
  const { log } = found.result
  const asked = withWitnesses(await askedOf(reader, { read, isChosen, shop: [proof.from, named.rpc] }), log)
  if (proof.seen) {
    const { besideSeen } = await import('./beside-seen.ts')
    const seen = await besideSeen(
      proof.seen,
      { ...found, bundle: proof.bundle as ProofBundle, anchors: Math.min(...counts) },
      order,
    )
    if (seen) return { ...found, asked, seen, memory: found.memory && { ...found.memory, now: null } }
  }
  if (log === undefined || policy === undefined) return { ...found, asked }
  const { logMessage } = await import('@befaqt/provenance/log-message')
  return { ...found, asked, witnesses: logMessage(log) }
}

function readerOf(url: string, contract: string, memories: Memories | undefined): LedgerReader {
  const memory = memories?.get(url) ?? new LedgerMemory()
  memories?.set(url, memory)
  return rpcLedger(url, (address, init) => fetch(address, init), { contract, memory })
}

/**
 * Verifies a proof with this reader of the ledger, and compares what the page shows with the proven records. Rejects when
 * they can't be compared.
 */
export async function compare(
  { absence, boxID, text, timeZone, page, remembered }: CheckOrder,
  { bundle }: Pick<Proof, 'bundle'>,
  { reader, policy }: { reader: LedgerReader; policy: Policy | undefined },
  tell: Tell,
): Promise<Pick<Found, 'result' | 'page' | 'memory'>> {
  if (absence) {
    const { verifyAbsence } = await import('@befaqt/provenance/verify')
    return { result: await verifyAbsence(bundle, reader, boxID), page: null, memory: null }
  }
  const result = await verifyBundle(bundle, reader, {
    timeZone,
    policy,
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
