import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint } from '@befaqt/domain/api/endpoint'
import type { FastifyInstance } from 'fastify'
import { httpServer } from '#server/http/http-server.ts'
import { enforceLimits } from '#server/http/limits/enforce-limits.ts'
import { limitClasses } from '#server/http/limits/route-limits.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { type MetricsDeps, metricsRoutes } from './metrics.ts'
import { type Ready, readinessOf } from './readiness.ts'
import type { ReadinessDeps } from './readiness-checks.ts'
import { thisBuild } from './this-build.ts'

type OpsDeps = ReadinessDeps & MetricsDeps

/** `/healthz`, `/readyz` and `/metrics`, for operators. */
export function opsRoutes(app: FastifyInstance, deps: OpsDeps, drain: Drain): void {
  const ready = readinessOf(deps)
  closeWhileDraining(app, drain)
  probes(app, ready, drain)
  metricsRoutes(app, deps, ready)
}

/** The HTTP app of a worker: only the routes above, with the same limits. Does not listen. */
export async function workerApp(deps: OpsDeps, drain: Drain): Promise<FastifyInstance> {
  const app = httpServer(deps.log)
  await enforceLimits(app, limitClasses, deps.database)
  opsRoutes(app, deps, drain)
  return app
}

const probe = { access: 'public', limits: 'probe', skipAuthentication: true } as const
const JSON_TYPE = 'application/json'

const endpoints = { isUp: endpoint('GET', '/healthz'), isReady: endpoint('GET', '/readyz') }

const probeOperations = defineRoutes(endpoints, {
  isUp: { ...probe, summary: 'The process is up, and of which version.', responses: { 200: JSON_TYPE } },
  isReady: {
    ...probe,
    summary: 'Whether the process can serve requests, and why not.',
    responses: { 200: JSON_TYPE, 503: JSON_TYPE },
  },
})

/** `GET /healthz`: liveness. `GET /readyz`: readiness, with the state of each part. Source: running.md. */
function probes(app: FastifyInstance, ready: Ready, drain: Drain): void {
  registerRoute(app, probeOperations.isUp, ({ reply }) =>
    reply.send({ ok: true, version: thisBuild.version }),
  )
  registerRoute(app, probeOperations.isReady, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    if (drain.isStopping) return reply.code(503).send({ ok: false, process: 'stopping' })
    const state = await ready()
    return reply.code(state.ok ? 200 : 503).send(state)
  })
}

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
function closeWhileDraining(app: FastifyInstance, drain: Drain): void {
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
