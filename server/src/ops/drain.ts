import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** At shutdown, how long requests in flight may take before their connections are closed. */
const CLOSE_TIMEOUT_MS = 10_000

/** Whether a process is about to stop, as its probes report to the load balancer. */
export type Drain = {
  readonly isStopping: boolean
  /** From now on this process is not ready, and every response closes its connection. Resolves after `seconds`. */
  begin(seconds: number): Promise<void>
}

export function newDrain(): Drain {
  let isStopping = false
  return {
    get isStopping() {
      return isStopping
    },
    begin: async (seconds) => {
      isStopping = true
      await sleep(seconds * 1000)
    },
  }
}

/** Requests during the drain are served; their connections are closed afterwards. */
export function closeWhileDraining(app: FastifyInstance, drain: Drain): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.isStopping) reply.header('connection', 'close')
    done()
  })
}

/**
 * Stops accepting connections and waits for requests in flight, but no longer than `timeoutMs`: a client that sends only
 * half a request must not block the shutdown.
 */
export async function closeApp(app: FastifyInstance, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
