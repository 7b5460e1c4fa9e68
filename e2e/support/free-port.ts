import { createServer } from 'node:net'

/** A TCP port on 127.0.0.1 that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    probe.close(() => resolve(port))
  })
  return promise
}
