import { ShopError } from '@befaqt/domain/errors'
import { ImageWorker } from './image-worker.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import type { ImageProcessor, NormalizedImage } from './port.ts'

type Log = { error(details: object, message: string): void }

/** One decoded image may take 200 MB, so at most two are decoded at a time. */
const MAX_CONCURRENT = 2
/** Variants are made at this low system priority, behind everything that somebody waits for. */
const NICE = 10
/** An idle process is ended after this time. */
const IDLE_MS = 10_000
/** The decoder has a shorter timeout (`encode.ts`); a process that takes longer is stuck. */
const TIMEOUT_MS = 40_000

/** Processes images in two child processes: one for uploads that somebody waits for, one for variants. */
export function imageProcessor(log: Log, timeoutMs = TIMEOUT_MS): ImageProcessor {
  const interactive = new ImageWorker({ nice: 0, idleMs: IDLE_MS, timeoutMs })
  const background = new ImageWorker({ nice: NICE, idleMs: IDLE_MS, timeoutMs })
  const limited = limitConcurrency(MAX_CONCURRENT)
  return {
    normalize: (path) =>
      limited(() => interactive.run({ kind: 'normalize', path })).catch((err: unknown) => {
        log.error({ err }, 'processing an uploaded image failed')
        throw new ShopError('unavailable', 'The picture could not be read right now. Please try again.')
      }) as Promise<NormalizedImage | string>,
    resize: (bytes, width, format) =>
      background.run({ kind: 'resize', bytes, width, format }) as Promise<Uint8Array>,
    stats: () => ({
      stuck: interactive.stuck + background.stuck,
      inHand: interactive.pending + background.pending,
    }),
    close: async () => void (await Promise.all([interactive.close(), background.close()])),
  }
}
