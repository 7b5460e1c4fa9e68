import { ShopError } from '@befaqt/domain/errors'
import type { FastifyRequest } from 'fastify'
import { SAFE_METHODS } from '#server/http/errors.ts'
import { isSameSite } from '#server/http/site-origin.ts'

type RequestHead = Pick<FastifyRequest, 'method' | 'headers'>

/** Where the browser says a request comes from; a page cannot forge these headers. Source: Fetch, RFC 6454. */
function requestOrigin(
  { headers }: RequestHead,
  publicUrl: string,
): 'same-origin' | 'cross-origin' | 'unknown' {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'same-origin' : 'cross-origin'
  if (headers.origin === undefined) return 'unknown'
  return isSameSite(headers.origin, publicUrl) ? 'same-origin' : 'cross-origin'
}

const originError = () => new ShopError('auth.origin', 'This request did not come from a page of this site.')

/**
 * A state-changing request that is authenticated by the cookie must come from one of our own pages.
 * @throws ShopError `auth.origin`
 */
export function assertSameOrigin(request: RequestHead, publicUrl: string): void {
  if (!SAFE_METHODS.has(request.method) && requestOrigin(request, publicUrl) !== 'same-origin')
    throw originError()
}

/**
 * Login CSRF: a request that sets the cookie must not come from another site, which could log a visitor in to an
 * account of its own. Clients that are no browsers send no origin and are allowed.
 * @throws ShopError `auth.origin`
 */
export function rejectCrossOrigin(request: RequestHead, publicUrl: string): void {
  if (requestOrigin(request, publicUrl) === 'cross-origin') throw originError()
}
