import type { Server } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { handleErrors } from './errors.ts'
import { BODY_BYTES, type ServerLimits, serverLimits } from './limits/route-limits.ts'
import { handleNotFound, rejectMalformedUrl } from './not-found.ts'
import { collectRoutes } from './route.ts'

/**
 * A server with the limits that apply before a route is found, which collects the route definitions and reports errors
 * as JSON. `enforceLimits` adds the limits of routes. It does not listen.
 */
export function httpServer(
  log: Logger,
  limits: ServerLimits = serverLimits,
  options: FastifyHttpOptions<Server> = {},
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app: FastifyInstance = Fastify({
    ...options,
    loggerInstance,
    bodyLimit: BODY_BYTES,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.idleTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: limits.checkIntervalMs },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: rejectMalformedUrl,
    return503OnClosing: false, // a process that is stopping serves requests in flight
  })
  app.server.maxConnections = limits.connections
  collectRoutes(app)
  handleErrors(app)
  handleNotFound(app)
  return app
}
