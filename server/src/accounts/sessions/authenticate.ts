import { DAY_MS, MINUTE_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { API_KEY_PREFIX, authenticateApiKey } from '#server/accounts/api-keys.ts'
import { hashToken } from '#server/accounts/tokens.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { SAFE_METHODS } from '#server/http/errors.ts'
import { isSameSite } from '#server/http/site-origin.ts'
import { anonymous, type Principal } from '#server/identity/principal.ts'
import { sessionTokenOf } from './client.ts'
import type { SessionStore } from './session-store.ts'

/**
 * The bearer token of a request. Tive's webhook can send a key in its own header only, which is one on that route alone,
 * and never a session: proxies keep `Authorization` out of their logs, and not this one. Source: standards.md.
 */
function bearerOf({ headers, matched }: FastifyRequest): string | undefined {
  const { keyHeader } = matched.route ?? {}
  const key = keyHeader && headers[keyHeader]
  if (headers.authorization === undefined && typeof key === 'string' && key.startsWith(API_KEY_PREFIX))
    return key
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Does a request bring anything that could say who makes it? Most visitors' don't, and nothing is awaited for them. */
export const hasCredentials = ({ headers, matched }: FastifyRequest): boolean =>
  headers.authorization !== undefined ||
  headers.cookie !== undefined ||
  matched.route?.keyHeader !== undefined

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

/** The time of last use is saved at most once a minute, so that reading pages does not mean writing. */
const LAST_USED_RESOLUTION_MS = 60_000
/** The format of our tokens; anything else is not worth a query. */
const TOKEN = /^[\w-]{43}$/

/** For so long nobody is asked again who signed in or confirmed with password or passkey. */
export const CONFIRMED_MINUTES = 10

/**
 * A session of staff that nobody used for so long has ended; others last their 365 days, as the specification has it.
 * Source: ASVS 7.3.1, docs/decisions/0010-sessions.md.
 */
export const STAFF_IDLE_DAYS = 14

type SessionDeps = {
  db: Db
  sessions: SessionStore
  now: () => Date
  config: Pick<Config, 'REQUIRE_SECOND_FACTOR'>
}

/**
 * The user of a session token: only while the session is active and the account ACTIVE. Staff without the second factor
 * that the shop requires of them are USER, without rights, until it is set up.
 */
export async function authenticateSession(
  { db, sessions: open, now, config }: SessionDeps,
  token: string,
  via: 'cookie' | 'bearer',
): Promise<Principal> {
  if (!TOKEN.test(token)) return anonymous
  const session = await open(hashToken(token))
  const at = now()
  if (session === undefined || session.expiresAt <= at) return anonymous
  const { sessionId, userId, fname, role, rights, confirmedAt } = session
  const isStaff = role === 'ADMIN' || rights.length > 0
  const isIdle = at.getTime() - session.lastUsedAt.getTime() > STAFF_IDLE_DAYS * DAY_MS
  if (isStaff && isIdle) return anonymous
  if (at.getTime() - session.lastUsedAt.getTime() > LAST_USED_RESOLUTION_MS) {
    session.lastUsedAt = at
    await db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, sessionId))
  }
  const lacksSecondFactor =
    !session.hasSecondFactor &&
    (config.REQUIRE_SECOND_FACTOR === 'staff'
      ? isStaff
      : config.REQUIRE_SECOND_FACTOR === 'admin' && role === 'ADMIN')
  return {
    kind: 'user',
    via,
    sessionId,
    userId,
    fname,
    role: lacksSecondFactor && role === 'ADMIN' ? 'USER' : role,
    rights: lacksSecondFactor ? [] : rights,
    isConfirmed:
      confirmedAt !== null && at.getTime() - confirmedAt.getTime() <= CONFIRMED_MINUTES * MINUTE_MS,
    lacksSecondFactor,
  }
}

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
