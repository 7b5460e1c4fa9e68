import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ShopError } from '@befaqt/domain/errors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { proxyTrust } from '#server/config/trusted-proxies.ts'
import { clientNetwork, connectionLimiter } from './client-network.ts'
import { handleErrors, handleNotFound, rejectMalformedUrl } from './errors.ts'
import { BODY_BYTES, type ServerLimits, serverLimits } from './limits/route-limits.ts'
import { collectRoutes } from './route.ts'

/**
 * A server with the limits that apply before a route is found, which collects the route definitions and reports errors
 * as JSON. `enforceLimits` adds the limits of routes. It does not listen.
 * @param isProxy whose connections are those of many visitors, and not limited as one network's
 */
export function httpServer(
  log: Logger,
  limits: ServerLimits = serverLimits,
  options: FastifyHttpOptions<Server> = {},
  isProxy: ReturnType<typeof proxyTrust> = proxyTrust([]),
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
  limitNetworks(app.server, limits.connectionsPerNetwork, isProxy)
  collectRoutes(app)
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // RFC 9112 §3.2: whom such a request is for, two programs may read differently.
    if (namesTwoHosts(raw.rawHeaders))
      throw new ShopError('input.invalid', 'The request has more than one Host.')
    done()
  })
  handleErrors(app)
  handleNotFound(app)
  return app
}

/** @param headers names and values in turn, as they were sent */
function namesTwoHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Closes connections of one network beyond `most`, so that it can't use up those of all. */
function limitNetworks(
  server: Server,
  most: number,
  isProxy: (address: string | undefined) => boolean,
): void {
  const enter = connectionLimiter(most)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (isProxy(remoteAddress)) return
    const leave = enter(clientNetwork(remoteAddress ?? ''))
    if (leave === undefined) socket.destroy()
    else socket.once('close', leave)
  })
}
