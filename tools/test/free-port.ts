import { createServer } from 'node:net'

/**
 * Below the ephemeral ports of systems, so that nothing else gets one between our check and its use. Each process has a
 * slice of its own, since test files run concurrently.
 */
const FIRST = 20_000
const SLICE = 25
const SLICES = 480
let taken = 0

/** A TCP port on 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (process.pid % SLICES) * SLICE + (taken++ % SLICE)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const probe = createServer()
  probe.once('error', () => resolve(false))
  probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  return promise
}
