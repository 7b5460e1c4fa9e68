import type { Listener } from './check-proof.ts'
import type { CheckEvent } from './check-state.ts'
import type { FileFound } from './record-files.ts'
import type { CheckOrder } from './run-check.ts'

/** Cannot be checked, for a reason that a visitor can understand. */
export class NoProof extends Error {}

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
