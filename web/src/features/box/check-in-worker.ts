import type { CheckEvent } from './check-state.ts'
import type { CheckOrder } from './run-check.ts'

/**
 * Runs a check in a thread of its own, so that the page stays free for the visitor meanwhile.
 * @param tell hears of every step
 * @returns what was found. Rejects when the thread's script can't be loaded
 */
export function checkInWorker(order: CheckOrder, tell: (event: CheckEvent) => void): Promise<CheckEvent> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  const found = new Promise<CheckEvent>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CheckEvent>) =>
      data.type === 'step' ? tell(data) : resolve(data)
    worker.onerror = reject
  })
  worker.postMessage(order)
  return found.finally(() => worker.terminate())
}
