import { type CheckEvent, mayBeStale, type ProofSource } from './check-state.ts'
import { CheckWorker, NoProof } from './check-thread.ts'
import { isNodeAddress } from './own-nodes.ts'
import type { CheckOrder, Tell } from './run-check.ts'

/** Which ledger to believe, and what the page shows, if the proof is about it. */
export type Terms = Omit<CheckOrder, 'text' | 'boxID'>

/** Where a check reports what it finds, and the signal that aborts it: then it reports nothing any more. */
export type Listener = { tell: Tell; signal: AbortSignal }

const NOT_LOADED = 'The check itself could not be loaded. Reload the page and try again.'
/** Larger files can't be proofs of ours; reading them would only freeze the page. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** An anchor that just landed is known to the chain before it is to the shop: ask for the proof again. */
const RETRY_MS = [0, 800, 2500]

/**
 * Fetches this shop's proof of a box, or that there is none, and checks it. Never rejects.
 * @param worker one that goes on with what it proved before; by default one that ends with the check
 */
export async function checkShopProof(
  boxID: string,
  terms: Terms,
  listener: Listener,
  worker?: CheckWorker,
): Promise<void> {
  for (const [i, wait] of RETRY_MS.entries()) {
    await sleep(wait, listener.signal)
    const order = async () => ({ boxID, ...terms })
    const found = await check({ from: 'shop' }, order, listener, worker)
    if (mayBeStale(found) && i + 1 < RETRY_MS.length && !listener.signal.aborted) continue
    listener.tell(found)
    return
  }
}

/** Checks a proof out of a file. Never rejects. */
export async function checkFileProof(
  file: File,
  terms: Terms,
  listener: Listener,
  worker?: CheckWorker,
): Promise<void> {
  const order = async () => ({ boxID: '', text: await proofText(file), ...terms })
  listener.tell(await check({ from: 'file', name: file.name }, order, listener, worker))
}

const sleep = (ms: number, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', resolve)
  })

async function check(
  source: ProofSource,
  order: () => Promise<CheckOrder>,
  { tell, signal }: Listener,
  kept?: CheckWorker,
): Promise<CheckEvent> {
  tell({ type: 'start', source })
  const worker = kept ?? new CheckWorker()
  try {
    return await worker.run(await order(), { tell, signal })
  } catch (error) {
    return { type: 'failed', message: error instanceof NoProof ? error.message : NOT_LOADED }
  } finally {
    if (kept === undefined) worker.end()
  }
}

async function proofText(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new NoProof('This file is too large to be a proof.')
  return file.text().catch(() => {
    throw new NoProof('This file could not be read.')
  })
}

/** What is wrong with the URL of a node; null when nothing is. Blank: none is named. */
export function rpcProblem(url: string): string | null {
  if (url.trim() === '' || isNodeAddress(url)) return null
  return 'Enter an address that begins with https:// or http://'
}
