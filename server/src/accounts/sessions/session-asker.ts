import { eq } from 'drizzle-orm'
import { hashToken } from '#server/accounts/tokens.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import type { Deps } from '#server/deps.ts'
import { type Asker, nobody } from '#server/identity/principal.ts'

/** Last use is noted to the minute, so that reading pages does not mean writing. */
const NOTE_EVERY_MS = 60_000
/** What our tokens look like; anything else is not worth a query. */
const TOKEN = /^[\w-]{43}$/

/** The holder of a session token: only while the session is open and the account ACTIVE. */
export async function askerOfSession(
  { db, sessions: open, now }: Pick<Deps, 'db' | 'sessions' | 'now'>,
  token: string,
  via: 'cookie' | 'bearer',
): Promise<Asker> {
  if (!TOKEN.test(token)) return nobody
  const session = await open(hashToken(token))
  const at = now()
  if (session === undefined || session.expiresAt <= at) return nobody
  const { sessionId, userId, fname, role } = session
  if (at.getTime() - session.lastUsedAt.getTime() > NOTE_EVERY_MS) {
    session.lastUsedAt = at
    await db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, sessionId))
  }
  return { kind: 'user', via, sessionId, userId, fname, role }
}
