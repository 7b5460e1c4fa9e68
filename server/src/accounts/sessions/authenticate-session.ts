import { DAY_MS, MINUTE_MS } from '@befaqt/domain/durations'
import { eq } from 'drizzle-orm'
import { hashToken } from '#server/accounts/tokens.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { anonymous, type Principal } from '#server/identity/principal.ts'
import type { SessionStore } from './session-store.ts'

/** The time of last use is saved at most once a minute, so that reading pages does not mean writing. */
const LAST_USED_RESOLUTION_MS = 60_000
/** The format of our tokens; anything else is not worth a query. */
const TOKEN = /^[\w-]{43}$/

/** For so long nobody is asked again who signed in or confirmed with password or passkey. */
export const CONFIRMED_MINUTES = 10

/**
 * An administrator's session that nobody used for so long has ended; others last their 365 days, as the specification
 * has it. Source: ASVS 7.3.1, docs/decisions/0010-sessions.md.
 */
export const ADMIN_IDLE_DAYS = 14

export type SessionDeps = {
  db: Db
  sessions: SessionStore
  now: () => Date
  config: Pick<Config, 'REQUIRE_SECOND_FACTOR'>
}

/**
 * The user of a session token: only while the session is active and the account ACTIVE. An ADMIN without the second
 * factor that the shop requires is a USER until it is set up.
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
  const { sessionId, userId, fname, role, confirmedAt } = session
  const isIdle = at.getTime() - session.lastUsedAt.getTime() > ADMIN_IDLE_DAYS * DAY_MS
  if (role === 'ADMIN' && isIdle) return anonymous
  if (at.getTime() - session.lastUsedAt.getTime() > LAST_USED_RESOLUTION_MS) {
    session.lastUsedAt = at
    await db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, sessionId))
  }
  const lacksSecondFactor =
    role === 'ADMIN' && config.REQUIRE_SECOND_FACTOR === 'admin' && !session.hasSecondFactor
  return {
    kind: 'user',
    via,
    sessionId,
    userId,
    fname,
    role: lacksSecondFactor ? 'USER' : role,
    isConfirmed:
      confirmedAt !== null && at.getTime() - confirmedAt.getTime() <= CONFIRMED_MINUTES * MINUTE_MS,
    lacksSecondFactor,
  }
}
