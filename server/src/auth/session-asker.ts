import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema/accounts.ts'
import { type Asker, nobody } from './asker.ts'
import { hashToken } from './tokens.ts'

/** Last use is noted to the minute, so that reading pages does not mean writing. */
const NOTE_EVERY_MS = 60_000
/** What our tokens look like; anything else is not worth a query. */
const TOKEN = /^[\w-]{43}$/

/** The holder of a session token: only while the session is open and the account ACTIVE. */
export async function askerOfSession(
  db: Db,
  token: string,
  via: 'cookie' | 'bearer',
  now: Date,
): Promise<Asker> {
  if (!TOKEN.test(token)) return nobody
  const [row] = await db
    .select({
      sessionId: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      userId: users.id,
      fname: users.fname,
      role: users.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, now), eq(users.status, 'ACTIVE')),
    )
  if (row === undefined) return nobody
  const { lastUsedAt, ...who } = row
  if (now.getTime() - lastUsedAt.getTime() > NOTE_EVERY_MS)
    await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, row.sessionId))
  return { kind: 'user', via, ...who }
}
