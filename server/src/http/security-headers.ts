import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#server/config/config.ts'

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

/**
 * Security headers of every response. No inline scripts or styles. `connect-src` allows https and localhost, since visitors who verify a
 * box may read the ledger from a node of their choice.
 */
export function secureHeaders(app: FastifyInstance, config: Config): void {
  const tiles =
    config.MAP_TILES_URL === undefined ? [] : [new URL(config.MAP_TILES_URL.replaceAll(/[{}]/g, '')).origin]
  const https = config.PUBLIC_URL.startsWith('https:')
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'connect-src': ["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
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
  const headers = { ...headersOf(set), 'permissions-policy': PERMISSIONS }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** What helmet sets, the same for every response: computed once, since that takes longer than sending a cached page. */
function headersOf(set: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  set(request, response, (error) => {
    if (error !== undefined) throw error
  })
  return response.getHeaders()
}
