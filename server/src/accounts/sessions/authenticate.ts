import type { FastifyRequest } from 'fastify'
import { API_KEY_PREFIX, authenticateApiKey } from '#server/accounts/keys/api-keys.ts'
import type { Config } from '#server/config/config.ts'
import { anonymous, type Principal } from '#server/identity/principal.ts'
import { authenticateSession, type SessionDeps } from './authenticate-session.ts'
import { sessionTokenOf } from './cookies.ts'
import { assertSameOrigin } from './same-origin.ts'

/**
 * The bearer token of a request. Tive's webhook can send a key in its own header only, which is one on that route alone,
 * and never a session: proxies keep `Authorization` out of their logs, and not this one. Source: standards.md.
 */
function bearerOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  const { keyHeader } = routeOptions.config.route ?? {}
  const key = keyHeader && headers[keyHeader]
  if (headers.authorization === undefined && typeof key === 'string' && key.startsWith(API_KEY_PREFIX))
    return key
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Does a request bring anything that could say who makes it? Most visitors' don't, and nothing is awaited for them. */
export const hasCredentials = ({ headers, routeOptions }: FastifyRequest): boolean =>
  headers.authorization !== undefined ||
  headers.cookie !== undefined ||
  routeOptions.config.route?.keyHeader !== undefined

/**
 * The principal of a request: by bearer token (API key or session) or by session cookie. An invalid bearer token is
 * anonymous, whatever cookie is sent. A state-changing request with the cookie must have the site's own origin.
 * @throws ShopError `auth.origin`
 */
export async function authenticate(
  deps: SessionDeps & { config: Pick<Config, 'PUBLIC_URL'> },
  request: FastifyRequest,
): Promise<Principal> {
  const bearer = bearerOf(request)
  if (bearer?.startsWith(API_KEY_PREFIX)) return authenticateApiKey(deps.db, bearer, deps.now())
  if (bearer !== undefined) return authenticateSession(deps, bearer, 'bearer')
  const token = sessionTokenOf(request)
  if (token === undefined || request.headers.authorization !== undefined) return anonymous
  const principal = await authenticateSession(deps, token, 'cookie')
  if (principal.kind !== 'anonymous') assertSameOrigin(request, deps.config.PUBLIC_URL)
  return principal
}
