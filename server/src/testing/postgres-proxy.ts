import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to PostgreSQL that a test can interrupt. Use with `await using`. */
export type PostgresProxy = AsyncDisposable & {
  /** The database's URL through the proxy. */
  url: string
  /** From now on silently drops everything on open connections; new connections work. */
  silence(): void
  /** From now on closes a connection that sends this text, before the server receives it. */
  cutOn(words: string | undefined): void
  /** Connections made so far. */
  made(): number
}

export async function postgresProxy(to: string): Promise<PostgresProxy> {
  const there = new URL(to)
  const open = new Set<Socket>()
  let words: string | undefined
  let made = 0
  const server = createServer((near) => {
    made++
    const far = connect(Number(there.port), there.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      if (words !== undefined && bytes.includes(words)) near.destroy()
      else far.write(bytes)
    })
    far.on('data', (bytes) => near.write(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence: () => {
      for (const socket of open) socket.pause()
    },
    cutOn: (wanted) => {
      words = wanted
    },
    made: () => made,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
