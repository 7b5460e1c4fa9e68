import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds there and back, bytes per second each way for all of a visit. */
export type Network = { roundTripMs: number; down: number; up: number }

/** A mobile network in a building. */
const MOBILE: Readonly<Network> = { roundTripMs: 150, down: 1_000_000, up: 500_000 }
/** The kind of address that is a name. */
const NAME = 3
/** As browsers say it, which leave it to the proxy what a name means. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1'])

/** A proxy of one visit, whose bytes arrive as late as over a slow line. Use with `await using`. */
export type SlowLine = AsyncDisposable & { url: string }

/**
 * Opens one on this machine, by SOCKS 5 (RFC 1928). The browser's own emulation is not used: in about one of a hundred
 * visits it stops reading from all of its connections for good (Chromium 156), with the answers waiting in its sockets.
 * @param network read anew for all that is carried, so it may become slower while the visit goes on
 */
export async function slowLine(network: Readonly<Network> = MOBILE): Promise<SlowLine> {
  const open = new Set<Socket>()
  const lanes = { up: lane(() => network.up), down: lane(() => network.down) }
  const server = createServer((visitor) => {
    join(visitor, open, network, lanes).catch(() => visitor.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the slow line has no port')
  return {
    url: `socks5://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function join(
  visitor: Socket,
  open: Set<Socket>,
  network: Readonly<Network>,
  { up, down }: { up: Lane; down: Lane },
): Promise<void> {
  hold(visitor, open)
  const port = await requestedPort(visitor)
  const shop = hold(connect(port, '127.0.0.1'), open)
  await once(shop, 'connect')
  await sleep(network.roundTripMs)
  visitor.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  const closeBoth = (): void => void [visitor, shop].map((socket) => socket.destroy())
  carry(visitor, shop, up, () => 0).catch(closeBoth)
  carry(shop, visitor, down, () => network.roundTripMs).catch(closeBoth)
}

/** Keeps it until it is closed. Its errors end what reads from it or writes to it. */
function hold(socket: Socket, open: Set<Socket>): Socket {
  open.add(socket)
  socket.setNoDelay()
  socket.on('error', () => socket.destroy())
  socket.on('close', () => open.delete(socket))
  return socket
}

/** Agrees on no authentication, then reads where the visitor wants to go; the answer is the caller's. */
async function requestedPort(visitor: Socket): Promise<number> {
  const [, methods = 0] = await take(visitor, 2)
  await take(visitor, methods)
  visitor.write(Buffer.from([5, 0]))
  const [, command, , kind] = await take(visitor, 4)
  if (kind !== NAME) throw new Error('the slow line takes names only')
  const [length = 0] = await take(visitor, 1)
  const host = (await take(visitor, length)).toString('latin1')
  const port = (await take(visitor, 2)).readUInt16BE()
  if (command === 1 && THIS_MACHINE.has(host)) return port
  throw new Error(`the slow line goes to this machine only, not to ${host}`)
}

async function take(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0)
  for (;;) {
    const taken: Buffer | null = socket.read(bytes)
    if (taken !== null) return taken
    if (socket.readableEnded || socket.destroyed) throw new Error('closed before it said where to go')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}

/** When the last of so many bytes has left, in ms of the monotonic clock: one after the other, whatever connection they are of. */
type Lane = (bytes: number) => number

function lane(bytesPerSecond: () => number): Lane {
  let freeAt = 0
  return (bytes) => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes / bytesPerSecond()) * 1_000
    return freeAt
  }
}

/** Timers of one length end in the order in which they began, so the bytes stay in theirs. */
async function carry(from: Socket, to: Socket, leaves: Lane, delayMs: () => number): Promise<void> {
  for await (const chunk of from) {
    await sleep(Math.max(0, leaves(chunk.length) - performance.now()))
    setTimeout(() => to.write(chunk), delayMs())
  }
  setTimeout(() => to.end(), delayMs())
}
