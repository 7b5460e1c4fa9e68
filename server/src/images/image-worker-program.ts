import sharp from 'sharp'
import { normalizeImage, resizeImage } from './encode.ts'
import type { ImageResult, ImageTask } from './image-worker.ts'

/**
 * The child process that decodes and encodes images: it runs tasks until its parent ends it. Its memory is returned to
 * the system when it ends, and an image that crashes the decoder does not crash the shop.
 */
sharp.cache(false)
sharp.concurrency(1)

const work = async (order: ImageTask): Promise<unknown> =>
  order.kind === 'normalize'
    ? normalizeImage(order.path)
    : resizeImage(order.bytes, order.width, order.format)

const answer = (what: ImageResult): void => void process.send?.(what, () => undefined)

process.on('message', (message) => {
  const { id, order } = message as { id: number; order: ImageTask }
  work(order).then(
    (made) => answer({ id, made }),
    (error: unknown) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
  )
})

// Ctrl-C and a service manager's stop reach every process; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// The parent is gone, however it ended. exit() would wait for the encoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
