import type { Role } from '@befaqt/domain/status'
import { and, eq, sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema/accounts.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'

/** A session whose account is ACTIVE, with what pages and rules need of the account. It may have expired. */
export type OpenSession = {
  sessionId: string
  userId: string
  fname: string
  role: Role
  expiresAt: Date
  /** To the minute. */
  lastUsedAt: Date
}

/** Looks sessions up by the hash of their token; what it answers is what the database holds at that moment. */
export type OpenSessions = (tokenHash: string) => Promise<OpenSession | undefined>

/** Says that a session or an account changed in a way that matters to who is let in. */
const CHANNEL = 'sessions'
/** Some 400 bytes each. */
const REMEMBERED = 10_000

/**
 * On PostgreSQL one indexed query for each look-up: news of a change reaches another process some time after the
 * commit, and somebody who was shut out must be out with the next request. The embedded database belongs to this
 * process alone and tells of a change before the one who made it hears of its success, so there the last answer holds
 * until then. Source: docs/decisions/0010-sessions.md.
 */
export const openSessions = async (database: Database): Promise<OpenSessions> =>
  database.kind === 'embedded' ? rememberedSessions(database) : storedSessions(database.db)

/** Prepared: built here once, and planned once by each connection. */
function storedSessions(db: Db): OpenSessions {
  const query = db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      fname: users.fname,
      role: users.role,
      expiresAt: sessions.expiresAt,
      lastUsedAt: sessions.lastUsedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), eq(users.status, 'ACTIVE')))
    .prepare('open_session')
  return async (tokenHash) => (await query.execute({ tokenHash }))[0]
}

async function rememberedSessions(database: Database): Promise<OpenSessions> {
  const stored = storedSessions(database.db)
  const known = new InvalidatingCache<OpenSession | undefined>(REMEMBERED)
  await tellOfChanges(database.db)
  await database.listen(CHANNEL, () => known.clear())
  return (tokenHash) => known.get(tokenHash, () => stored(tokenHash), isOpen)
}

const isOpen = (session: OpenSession | undefined): boolean => session !== undefined

/** Whatever statement changes who is let in, it can't be forgotten to say so: the tables do it themselves. */
async function tellOfChanges(db: Db): Promise<void> {
  await rows(
    db,
    sql`create or replace function tell_of_sessions() returns trigger language plpgsql as
        $$ begin perform pg_notify('sessions', ''); return null; end $$`,
  )
  for (const [table, columns] of [
    [sessions, 'token_hash, user_id, expires_at'],
    [users, 'role, status, fname'],
  ] as const)
    await rows(
      db,
      sql`create or replace trigger tell_of_sessions
          after delete or truncate or update of ${sql.raw(columns)} on ${table}
          for each statement execute function tell_of_sessions()`,
    )
}
