import { and, eq, sql } from 'drizzle-orm'
import { emailKey } from '#server/accounts/email-key.ts'
import { hashToken } from '#server/accounts/tokens.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { knownDevices, users } from '#server/db/schema/accounts.ts'

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
