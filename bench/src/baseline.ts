import { once } from 'node:events'
import { createServer } from 'node:http'

/** A bare Node server that sends one buffer: the best that this machine can do. Results are given as a share of it. */
export async function baseline(bytes: number): Promise<AsyncDisposable & { url: string }> {
  const body = Buffer.alloc(bytes, 'x')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length })
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
