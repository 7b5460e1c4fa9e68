import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long open requests may still take once no new connection is taken; then they are cut. */
const FINISH_WITHIN_MS = 10_000

/** Whether a process is about to end, as its probes tell whoever sends it requests. */
export type Drain = {
  readonly isStopping: boolean
  /** From now on this process is not ready, and every answer closes its connection. Resolves after `seconds`. */
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

/** Requests that come meanwhile are served, on a connection that is not used again. */
export function closeWhileDraining(app: FastifyInstance, drain: Drain): void {
  app.addHook('onSend', async (_request, reply) => {
    if (drain.isStopping) reply.header('connection', 'close')
  })
}

/**
 * Takes no new connection, lets open requests finish, and cuts those that have not after a while: who sends half a
 * request holds up no end.
 */
export async function closeApp(app: FastifyInstance, withinMs = FINISH_WITHIN_MS): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), withinMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
