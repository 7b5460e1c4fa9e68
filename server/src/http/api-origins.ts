import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { isApiPath } from './api-path.ts'

type Origins = Pick<Config, 'API_ORIGINS'>

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match',
  'access-control-max-age': '600',
}
const READABLE = 'content-disposition, etag, idempotent-replayed, retry-after'

/** Does a page of another site ask that may call the API with a bearer token? */
export const isListedOrigin = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  { API_ORIGINS }: Origins,
): boolean => headers.origin !== undefined && API_ORIGINS.includes(headers.origin)

/**
 * Lets pages of the origins in API_ORIGINS call the API with a bearer token, and pages of any origin read what is public
 * and can be checked (`anyOrigin` of a route). Credentials are never allowed: the cookie does not cross sites. Call before
 * any route is looked at. Source: Fetch, 'CORS protocol'.
 */
export function allowApiOrigins(app: FastifyInstance, config: Origins): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isApiPath(request.url)) return done()
    if (request.routeOptions.config?.route?.anyOrigin) {
      reply.header('access-control-allow-origin', '*')
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return done()
    }
    if (!isListedOrigin(request, config)) return done()
    reply.header('access-control-allow-origin', request.headers.origin)
    reply.header('access-control-expose-headers', READABLE)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method']
    if (isPreflight && request.is404) reply.code(204).headers(PREFLIGHT).send()
    else done()
  })

  if (config.API_ORIGINS.length === 0) return
  // An answer that a cache kept for one origin is not another's.
  app.addHook('onSend', ({ url }, reply, _payload, done) => {
    const named = reply.getHeader('vary')
    if (isApiPath(url)) reply.header('vary', named === undefined ? 'origin' : `${named}, origin`)
    done()
  })
}
