import type { CheckOrder, Tell } from './box-checker.ts'
import { type CheckEvent, mayBeStale, type ProofSource } from './check-state.ts'
import { isNodeAddress } from './kept-by-browser.ts'
import type { FileFound } from './record-files.ts'

/** Which ledger to believe, and what the page shows, if the proof is about it. */
type Terms = Omit<CheckOrder, 'text' | 'boxID'>

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

/** Cannot be checked, for a reason that a visitor can understand. */
class NoProof extends Error {}

const TOO_LONG = 'The check took too long. Try again, or name another ledger server.'
/** A worker that says nothing for so long has failed. The slowest node gets 10 s for each of some requests. */
const SILENCE_MS = 120_000

/** A worker that runs one check at a time, so that the page stays free for the visitor meanwhile. */
export class CheckWorker {
  #worker: Worker | undefined

  /**
   * Runs a check. Answers what was found; rejects when the worker's script can't be loaded, falls silent, or the check
   * is not wanted any more. Then the worker ends, with all that it remembered.
   */
  async run(order: CheckOrder, { tell, signal }: Listener): Promise<CheckEvent> {
    signal.throwIfAborted()
    this.#worker ??= new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
    const worker = this.#worker
    let timer = 0
    let giveUp: (reason: unknown) => void = () => undefined
    const found = new Promise<CheckEvent>((resolve, reject) => {
      giveUp = reject
      const waitOn = (): void => {
        window.clearTimeout(timer)
        timer = window.setTimeout(() => reject(new NoProof(TOO_LONG)), SILENCE_MS)
      }
      worker.onmessage = ({ data }: MessageEvent<CheckEvent>) => {
        waitOn()
        if (data.type === 'done' || data.type === 'failed') resolve(data)
        else tell(data)
      }
      worker.onerror = reject
      worker.onmessageerror = reject
      signal.addEventListener('abort', reject)
      waitOn()
      worker.postMessage(order)
    })
    try {
      return await found
    } catch (error) {
      this.end()
      throw error
    } finally {
      window.clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Compares files with their names, beside a check. Answers nothing when there is no worker, or it ends. */
  files(hrefs: readonly string[]): Promise<FileFound[]> {
    const worker = this.#worker
    if (worker === undefined || hrefs.length === 0) return Promise.resolve([])
    const { port1, port2 } = new MessageChannel()
    return new Promise((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<FileFound[]>) => {
        port1.close()
        resolve(data)
      }
      worker.postMessage(hrefs, [port2])
    })
  }

  /** Ends the worker, with all that it remembered; the next check starts another. */
  end(): void {
    this.#worker?.terminate()
    this.#worker = undefined
  }
}
