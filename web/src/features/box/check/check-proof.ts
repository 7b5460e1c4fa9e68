import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type CheckEvent, mayBeStale, type ProofSource } from './check-state.ts'
import type { CheckOrder } from './run-check.ts'

export type Tell = (event: CheckEvent) => void

/** Which ledger to believe, and what the page shows, if the proof is about it. */
export type Terms = Omit<CheckOrder, 'text'>

/** Cannot be checked, for a reason that a visitor can understand. */
class NoProof extends Error {}

const NOT_FETCHED = 'The proof could not be fetched. Check your connection and try again.'
const NOT_LOADED = 'The check itself could not be loaded. Reload the page and try again.'
/** Larger files are no proofs of ours; reading them would only freeze the page. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** An anchor that just landed is known to the chain before it is to the shop: ask for the proof again. */
const RETRY_MS = [0, 800, 2500]

/** Fetches this shop's proof of a box and checks it. Never rejects. */
export async function checkShopProof(boxID: string, terms: Terms, tell: Tell): Promise<void> {
  for (const [i, wait] of RETRY_MS.entries()) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const found = await check({ from: 'shop' }, () => fetchProof(boxID), terms, tell)
    if (mayBeStale(found) && i + 1 < RETRY_MS.length) continue
    tell(found)
    return
  }
}

/** Checks a proof out of a file. Never rejects. */
export async function checkFileProof(file: File, terms: Terms, tell: Tell): Promise<void> {
  tell(await check({ from: 'file', name: file.name }, () => proofText(file), terms, tell))
}

async function check(
  source: ProofSource,
  proof: () => Promise<string>,
  terms: Terms,
  tell: Tell,
): Promise<CheckEvent> {
  tell({ type: 'start', source })
  try {
    return await checkInWorker({ text: await proof(), ...terms }, tell)
  } catch (error) {
    return { type: 'failed', message: error instanceof NoProof ? error.message : NOT_LOADED }
  }
}

async function fetchProof(boxID: string): Promise<string> {
  const url = urlOf(readProof, { params: { boxID } })
  const answer = await fetch(url, { cache: 'no-store' }).catch(() => undefined)
  if (!answer?.ok) throw new NoProof(NOT_FETCHED)
  return answer.text().catch(() => {
    throw new NoProof(NOT_FETCHED)
  })
}

async function proofText(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new NoProof('This file is too large to be a proof.')
  return file.text().catch(() => {
    throw new NoProof('This file could not be read.')
  })
}

/**
 * Runs a check in a worker, so that the page stays free for the visitor meanwhile.
 * @param tell hears of every step
 * @returns what was found. Rejects when the worker's script can't be loaded
 */
function checkInWorker(order: CheckOrder, tell: (event: CheckEvent) => void): Promise<CheckEvent> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  const found = new Promise<CheckEvent>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CheckEvent>) =>
      data.type === 'step' ? tell(data) : resolve(data)
    worker.onerror = reject
  })
  worker.postMessage(order)
  return found.finally(() => worker.terminate())
}

/** What is wrong with the URL of a node; null when nothing is. */
export function rpcProblem(url: string): string | null {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return null
  return 'Enter an address that begins with https:// or http://'
}
