import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { webauthnChallenges } from '#server/db/schema/accounts.ts'

/** Lifetime of a challenge in seconds: time to find the phone or the security key. */
const CHALLENGE_S = 300

/** The site that passkeys are bound to. Source: WebAuthn §4 'Relying Party Identifier'. */
export function relyingParty(publicUrl: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** Stores a challenge that we sent. `userId`: who registers a passkey; null: somebody signs in. */
export async function storeChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<void> {
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  const expiresAt = new Date(now.getTime() + CHALLENGE_S * 1_000)
  await db.insert(webauthnChallenges).values({ challenge, userId, expiresAt })
}

/** Did this shop issue it for this purpose, and has it not expired? Each challenge is accepted once. */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const mine = userId === null ? isNull(webauthnChallenges.userId) : eq(webauthnChallenges.userId, userId)
  const consumed = await db
    .delete(webauthnChallenges)
    .where(and(eq(webauthnChallenges.challenge, challenge), mine, gt(webauthnChallenges.expiresAt, now)))
    .returning({ challenge: webauthnChallenges.challenge })
  return consumed.length > 0
}
