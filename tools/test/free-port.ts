import { createServer } from 'node:net'

/**
 * Below the ports that systems hand out by themselves, so that nothing else is given one between our look and its use.
 * Each process has a slice of its own: test files run beside each other.
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
