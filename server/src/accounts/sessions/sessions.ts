import { randomUUID } from 'node:crypto'
import type { SessionView } from '@befaqt/domain/api/account-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { and, desc, eq, gt, gte, ne, or, sql } from 'drizzle-orm'
import { emailKey } from '#server/accounts/account.ts'
import { hashToken, newToken } from '#server/accounts/tokens.ts'
import { noteSecurity } from '#server/audit/security-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { knownDevices, sessions, users } from '#server/db/schema/accounts.ts'
import { STAFF_IDLE_DAYS } from './authenticate.ts'
import { type Client, deviceTokenOrNew, SESSION_S } from './client.ts'

/** A session that was just started: the only time its token is known. */
export type NewSession = { token: string; deviceToken: string }

/**
 * Starts a session of 365 days under a new token, never one that the client sent. The one that this browser had, of
 * whichever account, ends. Source: spec §4, ASVS 7.2.4.
 */
export async function startSession(
  tx: Tx,
  userId: string,
  client: Client,
  now: Date,
  byPasskey = false,
): Promise<NewSession> {
  if (client.sessionToken !== undefined)
    await tx.delete(sessions).where(eq(sessions.tokenHash, hashToken(client.sessionToken)))
  const token = newToken()
  const deviceToken = deviceTokenOrNew(client.deviceToken)
  await tx.insert(sessions).values({
    id: randomUUID(),
    tokenHash: hashToken(token),
    userId,
    device: client.device,
    address: client.address,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + SESSION_S * 1_000),
    confirmedAt: now,
    byPasskey,
  })
  await rememberDevice(tx, userId, deviceToken, now)
  noteSecurity({ what: 'sign-in', outcome: 'done', who: userId, detail: byPasskey ? 'passkey' : null })
  return { token, deviceToken }
}

/** Ends every session of the account except the one with id `except`. Call it when the account's status changes. */
export async function endSessions(tx: Tx | Db, userId: string, except?: string): Promise<void> {
  const others = except === undefined ? undefined : ne(sessions.id, except)
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), others))
}

/** Ends one session of the account. @throws ShopError `not_found`, also for somebody else's */
export async function endSession(db: Db, userId: string, id: string): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  if (ended.length === 0) throw new ShopError('not_found', 'This session has ended already.')
}

/** Active sessions of the account, last used first. `current` is the id of the requesting one. */
export async function listSessions(
  db: Db,
  userId: string,
  current: string,
  now: Date,
): Promise<SessionView[]> {
  const idle = new Date(now.getTime() - STAFF_IDLE_DAYS * DAY_MS)
  const open = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, now),
        or(and(ne(users.role, 'ADMIN'), eq(users.rights, [])), gte(sessions.lastUsedAt, idle)),
      ),
    )
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
  return open.map(({ session }) => ({
    id: session.id,
    device: session.device,
    address: session.address,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    current: session.id === current,
  }))
}

/** Records that this browser has signed in to the account. */
export async function rememberDevice(tx: Tx, userId: string, deviceToken: string, now: Date): Promise<void> {
  await tx
    .insert(knownDevices)
    .values({ userId, hash: hashToken(deviceToken), lastUsedAt: now })
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.hash],
      set: { lastUsedAt: sql`excluded.last_used_at` },
    })
}

/** Has this browser signed in to the account with this address before? */
export async function isKnownDevice(
  db: Db,
  email: string,
  deviceToken: string | undefined,
): Promise<boolean> {
  if (deviceToken === undefined) return false
  const found = await db
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(users.emailKey, emailKey(email)), eq(knownDevices.hash, hashToken(deviceToken))))
  return found.length > 0
}
