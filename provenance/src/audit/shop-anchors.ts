import { setTimeout as pause } from 'node:timers/promises'
import { parseAbsence } from '../bundle.ts'
import {
  type AnchorChanges,
  type AnchorFacts,
  anchorFacts,
  parseAnchorChanges,
  parseAnchorFacts,
} from '../bundle-parts.ts'
import { isPlainObject, parseJsonText } from '../canonical.ts'
import { FormatError } from '../format-error.ts'
import { compareBoxes } from '../leaf.ts'
import { MAX_COUNT } from '../record.ts'
import { fields } from '../validate.ts'
import type { ShopAnchors } from './audit.ts'

const TIMEOUT_MS = 30_000
/** Longest answer that is read: a page of 10,000 leaves has less than 4 MB. */
const MAX_BYTES = 16 * 1024 * 1024
/** Retries after a 429 response, and the longest wait that is honoured before each. */
const ATTEMPTS = 20
const MAX_WAIT_S = 120

/** Where a shop says that its anchors are. */
export interface NamedLedger {
  readonly rpc: string
  readonly contract: string
}

/** Asks a shop over HTTP. @param server its address without a slash at the end @param signal ends whatever is under way */
export function shopAnchors(
  server: string,
  signal?: AbortSignal,
): ShopAnchors & { ledger(): Promise<NamedLedger> } {
  const read = (url: string): Promise<unknown> => readJson(url, signal)
  return {
    ledger: async () => namedLedger(await read(`${server}/api/site`)),
    anchorsFrom: async (index) => {
      const answer = await read(`${server}/api/anchor?from=${index}`)
      const { anchors } = fields(answer, '$', ['anchors'], ['next']).of
      if (!Array.isArray(anchors)) throw new FormatError('$.anchors', 'must be a list')
      return anchors.map(
        (anchor: unknown, i): AnchorFacts => parseAnchorFacts(fields(anchor, `$.anchors[${i}]`, anchorFacts)),
      )
    },
    changesAt: (index) => pagesOf(read, `${server}/api/anchor/${index}`),
    absenceOf: async (box) => {
      const answer = await read(`${server}/api/box/${encodeURIComponent(box)}/absence`)
      return answer === undefined ? undefined : parseAbsence(answer)
    },
  }
}

/** The pages of an anchor's changes: each after the one before, as far as the shop says that more follow; none: it has none. */
async function* pagesOf(read: (url: string) => Promise<unknown>, url: string): AsyncIterable<AnchorChanges> {
  const first = await read(url)
  if (first === undefined) return
  let page = parseAnchorChanges(first)
  yield page
  while (page.next !== undefined) {
    const { next, nextRecord = MAX_COUNT } = page
    const from = page.nextRecord === undefined ? '' : `&record=${page.nextRecord}`
    page = parseAnchorChanges(await read(`${url}?after=${encodeURIComponent(next)}${from}`))
    const { next: then, nextRecord: record = MAX_COUNT } = page
    if (then !== undefined && compareBoxes(next, then) >= 0 && !(then === next && record > nextRecord))
      throw new Error(`The shop's pages at ${url} do not come to an end.`)
    yield page
  }
}

function namedLedger(site: unknown): NamedLedger {
  const chain = isPlainObject(site) ? site.chain : undefined
  if (!isPlainObject(chain) || typeof chain.rpc !== 'string' || typeof chain.contract !== 'string')
    throw new Error('The shop names no contract: give --rpc and --contract.')
  return { rpc: chain.rpc, contract: chain.contract.toLowerCase() }
}

/** The JSON at an address; undefined where there is nothing (404), or no absence, since the map holds the box (409). */
async function readJson(url: string, ended?: AbortSignal): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(ended === undefined ? [] : [ended])])
    const answer = await fetch(url, { signal }).catch((cause: unknown) => {
      throw new Error(`${url} could not be reached`, { cause })
    })
    if (answer.status !== 429 || attempt === ATTEMPTS) return jsonOf(url, answer)
    await answer.body?.cancel()
    const asked = Number(answer.headers.get('retry-after'))
    const waitS = Math.min(MAX_WAIT_S, Math.max(1, Number.isFinite(asked) ? asked : 1))
    await pause(1_000 * waitS, undefined, ended === undefined ? {} : { signal: ended })
  }
}

async function jsonOf(url: string, answer: Response): Promise<unknown> {
  if (!answer.ok) await answer.body?.cancel()
  if (answer.status === 404 || answer.status === 409) return undefined
  if (!answer.ok) throw new Error(`${url} answered with HTTP status ${answer.status}`)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error(`${url} answered with more than can be right`)
    text += decoder.decode(chunk, { stream: true })
  }
  return parseJsonText(text + decoder.decode())
}
