import { urlOf } from '@befaqt/domain/api/endpoint'
import { readAbsence, readProof, readProofNews } from '@befaqt/domain/api/endpoints/boxes'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { positionOf, withNews } from '@befaqt/provenance/bundle-news'
import { parseJsonText } from '@befaqt/provenance/json-text'
import { type CheckEvent, mayBeStale } from './check-state.ts'
import { type CheckOrder, type Memories, runCheck, type Tell } from './run-check.ts'

/** What was proven of the page's box, by which nodes and contract: only what came since needs to be fetched. */
type Proven = Pick<CheckOrder, 'contract'> & { nodes: string; bundle: ProofBundle; memories: Memories }

/** The text at a URL; undefined when there is none. Rejects when the shop can't be reached. */
type Get = (url: string) => Promise<string | undefined>

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
  #proven: Proven | undefined

  /** @param from the address of the shop's pages */
  constructor(getText: Get, from: string) {
    this.#get = getText
    this.#from = from
  }

  /** Does what an order asks for. Never rejects: what cannot be checked is said in the answer. */
  async run(order: CheckOrder, tell: Tell): Promise<CheckEvent> {
    if (order.text !== undefined) return this.#check(order, readJson(order.text), undefined, tell)
    const former = this.#former(order)
    const found = former && (await this.#checkNews(order, former, tell))
    if (found !== undefined) return found
    if (former !== undefined) tell({ type: 'start', source: { from: 'shop' } })
    return this.#checkWhole(order, tell)
  }

  #check(order: CheckOrder, bundle: unknown, memories: Memories | undefined, tell: Tell) {
    return runCheck(order, { bundle, from: this.#from, ...(memories && { memories }) }, tell)
  }

  #former({ since, boxID, nodes, contract }: CheckOrder): Proven | undefined {
    const proven = this.#proven
    const fits =
      proven?.bundle.box === boxID && proven.nodes === nodes.join(' ') && proven.contract === contract
    return since && fits ? proven : undefined
  }

  /** undefined unless what is known of the box and its news are proven together, or only wait for the ledger's newest. */
  async #checkNews(order: CheckOrder, former: Proven, tell: Tell): Promise<CheckEvent | undefined> {
    const bundle = await this.#joined(order, former.bundle)
    if (bundle === undefined) return undefined
    const found = await this.#check(order, bundle, former.memories, tell)
    if (mayBeStale(found)) return found
    if (!provesPage(found)) return undefined
    this.#proven = { ...former, bundle }
    return found
  }

  async #joined({ boxID }: CheckOrder, former: ProofBundle): Promise<ProofBundle | undefined> {
    try {
      const after = positionOf(former)
      const news = await this.#get(urlOf(readProofNews, { params: { boxID }, query: { after } }))
      if (news === undefined) return undefined
      return withNews(former, parseJsonText(news)) as ProofBundle // the verifier reads it
    } catch {
      return undefined
    }
  }

  async #checkWhole(order: CheckOrder, tell: Tell): Promise<CheckEvent> {
    this.#proven = undefined
    const { boxID, absence, nodes, contract } = order
    const message = absence ? NO_ABSENCE : NOT_FETCHED
    const url = urlOf(absence ? readAbsence : readProof, { params: { boxID } })
    const text = await this.#get(url).catch(() => null)
    if (text == null) return { type: 'failed', message: text === null ? NOT_FETCHED : message }
    const [bundle, memories]: [unknown, Memories] = [readJson(text), new Map()]
    const found = await this.#check(order, bundle, memories, tell)
    if (provesPage(found))
      this.#proven = { bundle: bundle as ProofBundle, memories, nodes: nodes.join(' '), contract }
    return found
  }
}

/** Was everything proven, and does the page show nothing else? */
const provesPage = (found: CheckEvent): boolean =>
  found.type === 'done' &&
  found.memory?.forked === false &&
  (found.page?.kind === 'same' || found.page?.kind === 'older')

function readJson(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}
