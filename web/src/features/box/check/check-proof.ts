import { urlOf } from '@befaqt/domain/api/endpoint'
import { readAbsence, readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type CheckEvent, mayBeStale, type ProofSource } from './check-state.ts'
import type { CheckOrder } from './run-check.ts'

export type Tell = (event: CheckEvent) => void

/** Which ledger to believe, and what the page shows, if the proof is about it. */
export type Terms = Omit<CheckOrder, 'text'>

/** Where a check tells what it finds, and what ends it before its time: then it tells nothing any more. */
export type Listener = { tell: Tell; signal: AbortSignal }

/** Cannot be checked, for a reason that a visitor can understand. */
class NoProof extends Error {}

const NOT_FETCHED = 'The proof could not be fetched. Check your connection and try again.'
const NO_ABSENCE = 'The shop gave no proof that this box was never recorded.'
const NOT_LOADED = 'The check itself could not be loaded. Reload the page and try again.'
const TOO_LONG = 'The check took too long. Try again, or name another ledger server.'
/** Larger files are no proofs of ours; reading them would only freeze the page. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** An anchor that just landed is known to the chain before it is to the shop: ask for the proof again. */
const RETRY_MS = [0, 800, 2500]
/** A worker that says nothing for so long has failed. The slowest node gets 10 s for each of some requests. */
const SILENCE_MS = 120_000

/** Fetches this shop's proof of a box, or that there is none, and checks it. Never rejects. */
export async function checkShopProof(boxID: string, terms: Terms, listener: Listener): Promise<void> {
  for (const [i, wait] of RETRY_MS.entries()) {
    await sleep(wait, listener.signal)
    const found = await check(
      { from: 'shop' },
      () => fetchProof(boxID, terms, listener.signal),
      terms,
      listener,
    )
    if (mayBeStale(found) && i + 1 < RETRY_MS.length && !listener.signal.aborted) continue
    listener.tell(found)
    return
  }
}

/** Checks a proof out of a file. Never rejects. */
export async function checkFileProof(file: File, terms: Terms, listener: Listener): Promise<void> {
  listener.tell(await check({ from: 'file', name: file.name }, () => proofText(file), terms, listener))
}

const sleep = (ms: number, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', resolve)
  })

async function check(
  source: ProofSource,
  proof: () => Promise<string>,
  terms: Terms,
  { tell, signal }: Listener,
): Promise<CheckEvent> {
  tell({ type: 'start', source })
  try {
    const text = await proof()
    signal.throwIfAborted()
    return await checkInWorker({ text, ...terms }, { tell, signal })
  } catch (error) {
    return { type: 'failed', message: error instanceof NoProof ? error.message : NOT_LOADED }
  }
}

async function fetchProof(boxID: string, { absence }: Terms, signal: AbortSignal): Promise<string> {
  const url = urlOf(absence ? readAbsence : readProof, { params: { boxID } })
  const answer = await fetch(url, { cache: 'no-store', signal }).catch(() => undefined)
  if (!answer?.ok) throw new NoProof(absence && answer ? NO_ABSENCE : NOT_FETCHED)
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
 * Runs a check in a worker, so that the page stays free for the visitor meanwhile. The worker ends with it.
 * @returns what was found. Rejects when the worker's script can't be loaded, falls silent, or is not wanted any more
 */
function checkInWorker(order: CheckOrder, { tell, signal }: Listener): Promise<CheckEvent> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  let timer = 0
  const found = new Promise<CheckEvent>((resolve, reject) => {
    const waitOn = (): void => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => reject(new NoProof(TOO_LONG)), SILENCE_MS)
    }
    worker.onmessage = ({ data }: MessageEvent<CheckEvent>) => {
      waitOn()
      if (data.type === 'step') tell(data)
      else resolve(data)
    }
    worker.onerror = reject
    worker.onmessageerror = reject
    signal.addEventListener('abort', reject)
    waitOn()
    worker.postMessage(order)
  })
  return found.finally(() => {
    window.clearTimeout(timer)
    worker.terminate()
  })
}

/** What is wrong with the URL of a node; null when nothing is. */
export function rpcProblem(url: string): string | null {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return null
  return 'Enter an address that begins with https:// or http://'
}
