import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to the shop that can be cut: what a phone at sea has. Use with `await using`. */
export type Coverage = AsyncDisposable & {
  cut(): void
  restore(): void
}

/** Passes connections from `port` on to the port that `target` answers, while there is coverage. */
export async function startCoverage(port: number, target: () => number): Promise<Coverage> {
  let isCut = false
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((phone) => {
    keep(phone)
    if (isCut) return void phone.destroy()
    const shop = connect(target(), '127.0.0.1')
    keep(shop)
    shop.on('close', () => phone.destroy())
    phone.on('close', () => shop.destroy())
    phone.pipe(shop).pipe(phone)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    cut,
    restore: () => {
      isCut = false
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
