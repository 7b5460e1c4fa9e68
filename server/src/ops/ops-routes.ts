import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { handleErrors } from '#server/http/errors.ts'
import { closeWhileDraining, type Drain } from './drain.ts'
import { type MetricsDeps, metricsRoutes } from './metrics.ts'
import { probes } from './probes.ts'
import { type ReadinessDeps, readiness } from './readiness.ts'

type OpsDeps = ReadinessDeps & MetricsDeps

/** `/healthz`, `/readyz` and `/metrics`, for whoever runs this process. */
export function opsRoutes(app: FastifyInstance, deps: OpsDeps, drain: Drain): void {
  const ready = readiness(deps)
  closeWhileDraining(app, drain)
  probes(app, ready, drain)
  metricsRoutes(app, deps, ready)
}

/** A worker's own small app: nothing but the above. Does not listen. */
export function workerApp(deps: OpsDeps, drain: Drain): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = deps.log
  const logController = new LogController({ disableRequestLogging: true })
  const app: FastifyInstance = Fastify({ loggerInstance, logController, return503OnClosing: false })
  handleErrors(app)
  opsRoutes(app, deps, drain)
  return app
}
