import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ephemeral ports of systems, so that nothing else gets one between our check and its use. */
const FIRST = 20_000
const SLICE = 25
const SLICES = 480

const HOST = '127.0.0.1'
let slice: Promise<PortSlice> | undefined
let taken = 0

/** A TCP port on 127.0.0.1 that nobody listens on, and that no other process is given while this one runs. */
export async function freePort(): Promise<number> {
  slice ??= claimPorts(process.pid)
  const { first, count } = await slice
  for (;;) {
    const port = first + (taken++ % count)
    const probe = await listen(port)
    if (probe === undefined) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** Ports that belong to one process. */
export type PortSlice = { first: number; count: number; guard: Server }

/**
 * Claims a slice of ports: test files run concurrently. The process listens on the slice's lowest port until it ends,
 * however it ends.
 * @param start the first slice to try
 */
export async function claimPorts(start: number): Promise<PortSlice> {
  for (let i = 0; i < SLICES; i++) {
    const lowest = FIRST + ((start + i) % SLICES) * SLICE
    const guard = await listen(lowest)
    if (guard) return { first: lowest + 1, count: SLICE - 1, guard: guard.unref() }
  }
  throw new Error(`All ports from ${FIRST} to ${FIRST + SLICES * SLICE} are taken.`)
}

/** A server on this port; undefined: somebody listens on it. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(port, HOST)
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}
