import { eq } from 'drizzle-orm'
import { hashToken } from '#server/accounts/tokens.ts'
import type { Db } from '#server/db/client.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { anonymous, type Principal } from '#server/identity/principal.ts'
import type { SessionStore } from './session-store.ts'

/** The time of last use is saved at most once a minute, so that reading pages does not mean writing. */
const LAST_USED_RESOLUTION_MS = 60_000
/** The format of our tokens; anything else is not worth a query. */
const TOKEN = /^[\w-]{43}$/

/** The columns that identify whose session it is. */
export type SessionDeps = { db: Db; sessions: SessionStore; now: () => Date }

/** The user of a session token: only while the session is active and the account ACTIVE. */
export async function authenticateSession(
  { db, sessions: open, now }: SessionDeps,
  token: string,
  via: 'cookie' | 'bearer',
): Promise<Principal> {
  if (!TOKEN.test(token)) return anonymous
  const session = await open(hashToken(token))
  const at = now()
  if (session === undefined || session.expiresAt <= at) return anonymous
  const { sessionId, userId, fname, role } = session
  if (at.getTime() - session.lastUsedAt.getTime() > LAST_USED_RESOLUTION_MS) {
    session.lastUsedAt = at
    await db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, sessionId))
  }
  return { kind: 'user', via, sessionId, userId, fname, role }
}
