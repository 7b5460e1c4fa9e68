import { ShopError } from '@befaqt/domain/errors'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Database } from '#server/db/client.ts'
import { DatabaseUnreachable, watchDatabase } from '#server/db/unreachable.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { notFound, requestTimeout, SAFE_METHODS } from '#server/http/errors.ts'
import { type ConcurrencyLimiter, concurrencyLimiter } from './concurrency-limiter.ts'
import { isUrlTooLong, type LimitClass, type Limits, limitClasses, MAX_WAITING } from './route-limits.ts'

/** Networks tracked at a time in a class; beyond it the least recently used one is dropped. */
const MAX_TRACKED_NETWORKS = 20_000
const WINDOW_MS = 60_000
const RETRY_AFTER_S = 1

/** The limiters of one class. */
type Enforced = {
  limits: Limits
  limiter: ConcurrencyLimiter
  rateLimit?: ReturnType<FastifyInstance['createRateLimit']>
}

/**
 * Enforces each route's limits: size of body and URL, timeout, and of one client network concurrent requests and
 * requests a minute. Call before any other hook and route.
 * @param classes others for tests
 * @param database requests end soon when it does not answer
 */
export async function enforceLimits(
  app: FastifyInstance,
  classes: Readonly<Record<LimitClass, Limits>> = limitClasses,
  database?: Pick<Database, 'answers'>,
): Promise<void> {
  await app.register(rateLimit, { global: false, cache: MAX_TRACKED_NETWORKS })
  const enforced = Object.fromEntries(
    Object.entries(classes).map(([name, limits]) => [name, enforce(app, limits)]),
  ) as Record<LimitClass, Enforced>

  app.addHook('onRoute', (route) => {
    const name = route.config?.route?.limits
    if (name === undefined) throw new Error(`No limits for ${route.method} ${route.url}`)
    const { limits, limiter } = enforced[name]
    route.bodyLimit = limits.bodyBytes
    const timeoutMs = limits.timeoutS * 1_000
    const isRead = SAFE_METHODS.has(String(route.method))
    if (!isRead) route.handlerTimeout = timeoutMs
    const mayHang = name !== 'probe' && name !== 'stream'
    route.handler = limitedHandler(route.handler, limiter, timeoutMs, mayHang ? database : undefined)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (isUrlTooLong(request.url)) throw new ShopError('input.invalid', 'This address is too long.')
    if (request.is404) throw notFound() // before anything of its body is read
    const { route } = request.matched
    const count = route && enforced[route.limits].rateLimit
    if (count === undefined) done()
    else
      count(request)
        .then(rejectOverLimit)
        .then(() => done(), done)
  })
}

function enforce(app: FastifyInstance, limits: Limits): Enforced {
  const { maxConcurrent, timeoutS } = limits
  const limiter = concurrencyLimiter(
    { maxConcurrent, maxWaiting: MAX_WAITING, slotMs: 2_000 * timeoutS },
    () => tooMany('Too many requests at once. Please wait a moment.', RETRY_AFTER_S),
  )
  if (limits.perMinute === null) return { limits, limiter }
  const count = app.createRateLimit({
    max: limits.perMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: ({ ip }) => clientNetwork(ip),
  })
  return { limits, limiter, rateLimit: count }
}

const tooMany = (message: string, retryAfterS: number): ShopError =>
  new ShopError('rate.limited', message, { details: { retryAfterS } })

type RateLimitResult = Awaited<ReturnType<NonNullable<Enforced['rateLimit']>>>

function rejectOverLimit(counted: RateLimitResult): void {
  if (counted.isAllowed || !counted.isExceeded) return
  const wait = Math.max(1, counted.ttlInSeconds)
  throw tooMany(`Too many requests. Please wait ${wait === 1 ? '1 second' : `${wait} seconds`}.`, wait)
}

/**
 * Runs `handler` when its network has a free slot. After the route's timeout the response is an error, or the stream is
 * aborted, while the handler itself continues; it ends sooner when the database hangs. A request whose client has
 * disconnected by then is not started.
 * (Fastify's own `handlerTimeout` covers only the body: its timer ends when the body was read.)
 */
function limitedHandler(
  handler: RouteHandlerMethod,
  limiter: ConcurrencyLimiter,
  timeoutMs: number,
  database: Pick<Database, 'answers'> | undefined,
): RouteHandlerMethod {
  return function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (reply.sent) reply.raw.destroy()
      else reject(requestTimeout(request))
    }, timeoutMs)
    const isRead = SAFE_METHODS.has(request.method)
    const stop =
      database &&
      watchDatabase(database, (cause) =>
        reject(isRead ? new DatabaseUnreachable(cause) : requestTimeout(request, cause)),
      )
    const end = (): void => {
      clearTimeout(timer)
      stop?.()
    }
    limiter(clientNetwork(request.ip), () => {
      if (!isLate && !request.socket.destroyed) return handler.call(this, request, reply)
      if (!reply.sent) reply.hijack()
      return reply
    }).then(
      (made) => {
        end()
        resolve(made)
      },
      (error: unknown) => {
        end()
        reject(error)
      },
    )
    return answer
  }
}
