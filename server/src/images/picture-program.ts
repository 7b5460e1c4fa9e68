import sharp from 'sharp'
import { narrowPicture, takePicture } from './encode.ts'
import type { Answer, Order } from './picture-process.ts'

/**
 * The program that decodes and encodes, in a process of its own: it answers orders until its starter ends it. The
 * memory that pictures take is the system's again when it ends, and a picture that breaks the decoder breaks no shop.
 */
sharp.cache(false)
sharp.concurrency(1)

const work = async (order: Order): Promise<unknown> =>
  order.kind === 'take' ? takePicture(order.path) : narrowPicture(order.bytes, order.width, order.format)

const answer = (what: Answer): void => void process.send?.(what, () => undefined)

process.on('message', (message) => {
  const { id, order } = message as { id: number; order: Order }
  work(order).then(
    (made) => answer({ id, made }),
    (error: unknown) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
  )
})

// Ctrl-C and a service manager's stop reach every process; when to end is the starter's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// The starter is gone, however it ended. exit() would wait for the encoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
