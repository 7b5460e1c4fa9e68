import { ShopError } from '@befaqt/domain/errors'
import type { FastifyRequest } from 'fastify'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

type Asked = Pick<FastifyRequest, 'method' | 'headers'>

/** What the browser says about where a request comes from; no page can make it lie. Source: Fetch, RFC 6454. */
function provenance({ headers }: Asked, publicUrl: string): 'ours' | 'foreign' | 'unsaid' {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'ours' : 'foreign'
  if (headers.origin === undefined) return 'unsaid'
  return headers.origin === new URL(publicUrl).origin ? 'ours' : 'foreign'
}

const refused = () => new ShopError('auth.origin', 'This request did not come from a page of this site.')

/**
 * A request that changes something and is let in by the cookie must come from a page of ours.
 * @throws ShopError `auth.origin`
 */
export function checkOrigin(request: Asked, publicUrl: string): void {
  if (!READS.has(request.method) && provenance(request, publicUrl) !== 'ours') throw refused()
}

/**
 * A request that would set the cookie must not come from somebody else's page, which could log a visitor in to an
 * account of its own. Programs say nothing of where they come from and may.
 * @throws ShopError `auth.origin`
 */
export function refuseForeign(request: Asked, publicUrl: string): void {
  if (provenance(request, publicUrl) === 'foreign') throw refused()
}
