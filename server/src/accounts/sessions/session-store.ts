import type { Role } from '@befaqt/domain/fields'
import type { Right } from '@befaqt/domain/rights'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '#server/db/client.ts'
import { sessions, users } from '#server/db/schema/accounts.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'

/** A session whose account is ACTIVE, with what authorization and pages need of the account. It may have expired. */
export type ActiveSession = {
  sessionId: string
  userId: string
  fname: string
  role: Role
  rights: readonly Right[]
  expiresAt: Date
  /** To the minute. */
  lastUsedAt: Date
  /** When password or passkey were asked for last; null: not noted. */
  confirmedAt: Date | null
  /** It began with a passkey, or the account has a second factor, without which no session begins. */
  hasSecondFactor: boolean
}

/** Looks up sessions by the hash of their token, as they are in the database at that moment. */
export type SessionStore = (tokenHash: string) => Promise<ActiveSession | undefined>

/** Notifies of changes of sessions and accounts that matter to authentication. */
const CHANNEL = 'sessions'
/** Some 400 bytes each. */
const MAX_CACHED_SESSIONS = 10_000

/**
 * On PostgreSQL each lookup is one indexed query: notifications reach another process some time after the commit, and a
 * revoked session must fail with the next request. The embedded database belongs to this process alone and notifies
 * before the commit returns, so there lookups are cached until then. Source: docs/decisions/0010-sessions.md.
 */
export const openSessionStore = async (database: Database): Promise<SessionStore> =>
  database.kind === 'embedded' ? cacheSessions(database) : querySessions(database.db)

/** A prepared statement: built once here, planned once by each connection. */
function querySessions(db: Db): SessionStore {
  const query = db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      fname: users.fname,
      role: users.role,
      rights: users.rights,
      expiresAt: sessions.expiresAt,
      lastUsedAt: sessions.lastUsedAt,
      confirmedAt: sessions.confirmedAt,
      hasSecondFactor: sql<boolean>`(${sessions.byPasskey} or ${isNotNull(users.totpConfirmedAt)})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), eq(users.status, 'ACTIVE')))
    .prepare('') // a name would be kept by a session of the server, which a pooler gives to others
  return async (tokenHash) => (await query.execute({ tokenHash }))[0]
}

async function cacheSessions(database: Database): Promise<SessionStore> {
  const stored = querySessions(database.db)
  const known = new InvalidatingCache<ActiveSession | undefined>(MAX_CACHED_SESSIONS)
  await createNotifyTriggers(database.db)
  await database.listen(CHANNEL, () => known.clear())
  return (tokenHash) => known.get(tokenHash, () => stored(tokenHash), isOpen)
}

const isOpen = (session: ActiveSession | undefined): boolean => session !== undefined

/** Triggers notify of every relevant statement, so that no code can forget to. */
async function createNotifyTriggers(db: Db): Promise<void> {
  await rows(
    db,
    sql`create or replace function tell_of_sessions() returns trigger language plpgsql as
        $$ begin perform pg_notify('sessions', ''); return null; end $$`,
  )
  for (const [table, columns] of [
    [sessions, 'token_hash, user_id, expires_at, confirmed_at, by_passkey'],
    [users, 'role, rights, status, fname, totp_confirmed_at'],
  ] as const)
    await rows(
      db,
      sql`create or replace trigger tell_of_sessions
          after delete or truncate or update of ${sql.raw(columns)} on ${table}
          for each statement execute function tell_of_sessions()`,
    )
}
