import type { FastifyInstance } from 'fastify'
import { httpServer } from '#server/http/http-server.ts'
import { enforceLimits } from '#server/http/limits/enforce-limits.ts'
import { limitClasses } from '#server/http/limits/route-limits.ts'
import { closeWhileDraining, type Drain } from './drain.ts'
import { type MetricsDeps, metricsRoutes } from './metrics.ts'
import { probes } from './probes.ts'
import { type ReadinessDeps, readiness } from './readiness.ts'

type OpsDeps = ReadinessDeps & MetricsDeps

/** `/healthz`, `/readyz` and `/metrics`, for operators. */
export function opsRoutes(app: FastifyInstance, deps: OpsDeps, drain: Drain): void {
  const ready = readiness(deps)
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
