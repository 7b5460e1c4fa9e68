import { ShopError } from '@befaqt/domain/errors'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { READS, tookTooLong } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network-of.ts'
import { unknownAddress } from '#server/http/unknown-address.ts'
import { type LimitClass, type Limits, limitClasses, MAX_URL, MAX_WAITING } from './route-limits.ts'
import { type Turns, turns } from './turns.ts'

/** Networks that are counted at a time in a class; then what was counted longest ago is forgotten. */
const MAX_COUNTED = 20_000
const WINDOW_MS = 60_000
const RETRY_AFTER_S = 1

/** One class at work: its turns, and its count where it has one. */
type Enforced = { limits: Limits; inTurn: Turns; count?: ReturnType<FastifyInstance['createRateLimit']> }

/**
 * Enforces each route's limits: size of body and address, time, work
 * at the same time and requests a minute of one client network. Call before any other hook and route.
 * @param classes for tests
 */
export async function enforceLimits(
  app: FastifyInstance,
  classes: Readonly<Record<LimitClass, Limits>> = limitClasses,
): Promise<void> {
  await app.register(rateLimit, { global: false, cache: MAX_COUNTED })
  const enforced = Object.fromEntries(
    Object.entries(classes).map(([name, limits]) => [name, enforce(app, limits)]),
  ) as Record<LimitClass, Enforced>

  app.addHook('onRoute', (route) => {
    const name = route.config?.route?.limits
    if (name === undefined) throw new Error(`No limits for ${route.method} ${route.url}`)
    const { limits, inTurn } = enforced[name]
    route.bodyLimit = limits.bodyBytes
    const timeoutMs = limits.timeS * 1_000
    if (!READS.has(String(route.method))) route.handlerTimeout = timeoutMs
    route.handler = handlerInTurn(route.handler, inTurn, timeoutMs)
  })
  app.addHook('onRequest', async (request) => {
    if (request.url.length > MAX_URL) throw new ShopError('input.invalid', 'This address is too long.')
    if (request.is404) throw unknownAddress() // before anything of its body is read
    const { route } = request.routeOptions.config
    const count = route && enforced[route.limits].count
    if (count !== undefined) refuseBeyond(await count(request))
  })
}

function enforce(app: FastifyInstance, limits: Limits): Enforced {
  const { atOnce, timeS } = limits
  const inTurn = turns({ atOnce, maxWaiting: MAX_WAITING, placeMs: 2_000 * timeS }, () =>
    tooMany('Too many requests at once. Please wait a moment.', RETRY_AFTER_S),
  )
  if (limits.perMinute === null) return { limits, inTurn }
  const count = app.createRateLimit({
    max: limits.perMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: ({ ip }) => networkOf(ip),
  })
  return { limits, inTurn, count }
}

const tooMany = (message: string, retryAfterS: number): ShopError =>
  new ShopError('rate.limited', message, { details: { retryAfterS } })

type Counted = Awaited<ReturnType<NonNullable<Enforced['count']>>>

function refuseBeyond(counted: Counted): void {
  if (counted.isAllowed || !counted.isExceeded) return
  const wait = Math.max(1, counted.ttlInSeconds)
  throw tooMany(`Too many requests. Please wait ${wait === 1 ? '1 second' : `${wait} seconds`}.`, wait)
}

/**
 * Runs `handler` when its network's turn has come, for as long as the route allows: then the answer is that it took
 * too long, or a stream is broken off, while what was begun runs to its end. Work that nobody waits for any more when
 * its turn comes is not begun. (Of Fastify's own `handlerTimeout` only the time for the body holds: its timer ends
 * when the body was read.)
 */
function handlerInTurn(handler: RouteHandlerMethod, inTurn: Turns, timeoutMs: number): RouteHandlerMethod {
  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (reply.sent) reply.raw.destroy()
      else reject(tookTooLong(request))
    }, timeoutMs)
    const work = inTurn(networkOf(request.ip), () => {
      if (!isLate && !request.socket.destroyed) return handler.call(this, request, reply)
      if (!reply.sent) reply.hijack()
      return reply
    })
    return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
  }
}
