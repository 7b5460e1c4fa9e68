import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { webauthnChallenges } from '#server/db/schema/accounts.ts'

/** A person finds the finger or the phone within this time. */
const CHALLENGE_S = 300

/** Which site passkeys are for: they work on no other. Source: WebAuthn §4 'Relying Party Identifier'. */
export function relyingParty(publicUrl: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** Keeps a challenge that we sent. `userId`: for whom a passkey is made; null: somebody signs in. */
export async function keepChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<void> {
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  const expiresAt = new Date(now.getTime() + CHALLENGE_S * 1_000)
  await db.insert(webauthnChallenges).values({ challenge, userId, expiresAt })
}

/** Is it one of ours, for this purpose, and in time? It can't be answered twice. */
export async function spendChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const mine = userId === null ? isNull(webauthnChallenges.userId) : eq(webauthnChallenges.userId, userId)
  const spent = await db
    .delete(webauthnChallenges)
    .where(and(eq(webauthnChallenges.challenge, challenge), mine, gt(webauthnChallenges.expiresAt, now)))
    .returning({ challenge: webauthnChallenges.challenge })
  return spent.length > 0
}
