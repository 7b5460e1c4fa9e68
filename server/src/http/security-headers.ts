import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#server/config/config.ts'
import { isApiPath } from './errors.ts'

/** Only our own pages use camera, position and tags, and no page any other of these. Source: W3C Permissions Policy. */
const PERMISSIONS = [
  ...['camera', 'geolocation', 'publickey-credentials-create', 'publickey-credentials-get'].map(
    (name) => `${name}=(self)`,
  ),
  ...[
    'accelerometer',
    'display-capture',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'usb',
  ].map((name) => `${name}=()`),
].join(', ')

/** The files of the workers that check boxes, on their page and in the lab, as the build names them. */
const CHECK_WORKER = /^\/assets\/(?:check|lab)-worker-[\w-]+\.js(\?|$)/
/** Visitors who check a box may read the ledger from a node of their choice. */
const NODES = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']

/**
 * Security headers of every response. No inline scripts or styles. Scripts of pages reach this shop only: what one sends
 * elsewhere would be what a visitor or manager has typed. A worker has the policy of its own file (CSP level 3, section
 * 4.2), so the one that asks nodes is let out by the response that brings it, and no page is.
 */
export function secureHeaders(app: FastifyInstance, config: Config): void {
  const ofPages = headersOf(config, [])
  const ofCheckWorker = headersOf(config, NODES)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(CHECK_WORKER.test(request.url) ? ofCheckWorker : ofPages)
    done()
  })
}

/**
 * What helmet sets, the same for every response: computed once, since that takes longer than sending a cached page.
 * @param reachable where scripts may connect to beside this shop
 */
function headersOf(config: Config, reachable: readonly string[]): OutgoingHttpHeaders {
  const tiles =
    config.MAP_TILES_URL === undefined ? [] : [new URL(config.MAP_TILES_URL.replaceAll(/[{}]/g, '')).origin]
  const https = config.PUBLIC_URL.startsWith('https:')
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'connect-src': ["'self'", ...reachable],
        'img-src': ["'self'", 'data:', 'blob:', ...tiles],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  set(request, response, (error) => {
    if (error !== undefined) throw error
  })
  return { ...response.getHeaders(), 'permissions-policy': PERMISSIONS }
}

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
    if (request.matched.route?.anyOrigin) {
      reply.header('access-control-allow-origin', '*')
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return done()
    }
    if (!isApiPath(request.url) || !isListedOrigin(request, config)) return done()
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
