import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a port on 127.0.0.1 that can be cut: all connections end, with what was under way. Use with `await using`. */
export async function cuttableLink(to: number): Promise<{ port: number; cut(): void } & AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut()
      await new Promise((closed) => server.close(closed))
    },
  }
}
