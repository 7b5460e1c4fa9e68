import type { FastifyRequest } from 'fastify'
import { API_KEY_PREFIX, askerOfKey } from '#server/accounts/keys/api-keys.ts'
import type { Deps } from '#server/deps.ts'
import { type Asker, nobody } from '#server/identity/principal.ts'
import { SESSION_COOKIE } from './cookies.ts'
import { checkOrigin } from './origin-check.ts'
import { askerOfSession } from './session-asker.ts'

/**
 * Who makes a request: the bearer of a key or of a session token, or the browser with our cookie. A bearer that is
 * not good is nobody, whatever cookie comes with it. What changes something by cookie must come from our pages.
 * @throws ShopError `auth.origin`
 */
export async function readAsker(deps: Deps, request: FastifyRequest): Promise<Asker> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer?.startsWith(API_KEY_PREFIX)) return askerOfKey(deps.db, bearer, deps.now())
  if (bearer !== undefined) return askerOfSession(deps, bearer, 'bearer')
  const token = request.cookies[SESSION_COOKIE]
  if (token === undefined || request.headers.authorization !== undefined) return nobody
  const asker = await askerOfSession(deps, token, 'cookie')
  if (asker.kind !== 'nobody') checkOrigin(request, deps.config.PUBLIC_URL)
  return asker
}
