import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A round-robin load balancer over the processes that are ready. Use with `await using`. */
export type Balancer = AsyncDisposable & {
  url: string
  /** URLs of backends; may change while it runs. */
  backends: Set<string>
  /** Those of them that get requests now. */
  ready: ReadonlySet<string>
  /** Requests without a response of their backend. */
  broken: string[]
}

const ASK_EVERY_MS = 250

/**
 * A minimal one, without retries and with keep-alive connections, as the worst case.
 * @param patienceMs how long it waits for a probe before it counts a backend as not ready
 */
export async function startBalancer(first: readonly string[], patienceMs = 2_000): Promise<Balancer> {
  const backends = new Set(first)
  const ready = new Set(first)
  const broken: string[] = []
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const pass = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const open = [...ready]
    const to = open[turn++ % open.length]
    const fail = (error: Error): void => {
      broken.push(`${incoming.method} ${incoming.url} by ${to}: ${error.message}`)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    }
    if (to === undefined) {
      fail(new Error('nobody is ready'))
      return
    }
    const { method = 'GET', url = '/', headers } = incoming
    const asked = request(`${to}${url}`, { method, headers, agent }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.on('error', fail).pipe(answer)
    })
    incoming.pipe(asked.on('error', fail))
  }
  const stop = new AbortController()
  const ask = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const backend of backends)
        await fetch(`${backend}/readyz`, { signal: AbortSignal.timeout(patienceMs) }).then(
          ({ ok }) => (ok ? ready.add(backend) : ready.delete(backend)),
          () => ready.delete(backend),
        )
      for (const backend of ready) if (!backends.has(backend)) ready.delete(backend)
      await wait(ASK_EVERY_MS)
    }
  }
  const asking = ask()
  const server = createServer(pass).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backends,
    ready,
    broken,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await asking
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
