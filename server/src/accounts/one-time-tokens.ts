import { ShopError } from '@befaqt/domain/errors'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { oneTimeTokens } from '#server/db/schema/accounts.ts'
import { hashToken, newToken } from './tokens.ts'

export type TokenRow = typeof oneTimeTokens.$inferSelect
export type Purpose = TokenRow['purpose']

/** How long links live, seconds: activation a day, recovery an hour, set-up a day. */
export const TOKEN_S: Readonly<Record<Purpose, number>> = {
  activate: 24 * 3_600,
  reset: 3_600,
  'first-admin': 24 * 3_600,
}

/** Writes a new token for one purpose and answers it: it is known only now, only its hash is kept. */
export async function issueToken(
  tx: Tx,
  purpose: Purpose,
  of: { userId: string | null; signUp?: TokenRow['signUp'] },
  now: Date,
): Promise<string> {
  const token = newToken()
  await tx.insert(oneTimeTokens).values({
    hash: hashToken(token),
    purpose,
    userId: of.userId,
    signUp: of.signUp ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TOKEN_S[purpose] * 1_000),
  })
  return token
}

/**
 * Uses a token up. Of two uses at once, one wins.
 * @throws ShopError `token.invalid`: unknown, of another purpose, used, or expired
 */
export async function spendToken(tx: Tx, purpose: Purpose, token: string, now: Date): Promise<TokenRow> {
  const hash = hashToken(token)
  const [used] = await tx
    .update(oneTimeTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(oneTimeTokens.hash, hash),
        eq(oneTimeTokens.purpose, purpose),
        isNull(oneTimeTokens.usedAt),
        gt(oneTimeTokens.expiresAt, now),
      ),
    )
    .returning()
  if (used !== undefined) return used
  const [row] = await tx.select().from(oneTimeTokens).where(eq(oneTimeTokens.hash, hash))
  throw refusalOf(row, purpose)
}

/**
 * Looks whether a token could be used, before work that is done for its owner only. It is not used up.
 * @throws ShopError `token.invalid`: unknown, of another purpose, used, or expired
 */
export async function checkToken(db: Db, purpose: Purpose, token: string, now: Date): Promise<void> {
  const hash = hashToken(token)
  const [row] = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.hash, hash))
  const isOpen = row?.purpose === purpose && row.usedAt === null && row.expiresAt > now
  if (!isOpen) throw refusalOf(row, purpose)
}

/** Says what is wrong with a token; only who holds it learns that. */
function refusalOf(row: TokenRow | undefined, purpose: Purpose): ShopError {
  if (row === undefined || row.purpose !== purpose)
    return new ShopError('token.invalid', 'This link is not valid.', { details: { reason: 'unknown' } })
  if (row.usedAt !== null)
    return new ShopError('token.invalid', 'This link has been used already.', { details: { reason: 'used' } })
  return new ShopError('token.invalid', 'This link has expired.', { details: { reason: 'expired' } })
}

/** Makes the account's other links of this purpose worthless. */
export async function dropTokens(tx: Tx | Db, purpose: Purpose, userId: string): Promise<void> {
  await tx
    .delete(oneTimeTokens)
    .where(
      and(eq(oneTimeTokens.purpose, purpose), eq(oneTimeTokens.userId, userId), isNull(oneTimeTokens.usedAt)),
    )
}
