import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'

/**
 * Security headers. No inline scripts or styles. `connect-src` allows https and localhost, since visitors who verify a
 * box may read the ledger from a node of their choice.
 */
export async function secureHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const tiles =
    config.MAP_TILES_URL === undefined ? [] : [new URL(config.MAP_TILES_URL.replaceAll(/[{}]/g, '')).origin]
  const https = config.PUBLIC_URL.startsWith('https:')
  await app.register(helmet, {
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
}
