import { randomInt } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { recoveryCodes } from '#server/db/schema/accounts.ts'

const CODES = 10
const LENGTH = 10
/** Crockford's base 32: no letter looks like a digit. 10 characters are 50 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const contextOf = (userId: string): string => `recovery code ${userId}`

/** Two groups of five characters. */
const formatCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** Replaces all codes by ten new ones and returns them, the only time that they can be read. */
export async function replaceRecoveryCodes(tx: Tx, deps: AccountDeps, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await deleteRecoveryCodes(tx, userId)
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: deps.secrets.hmac(code, contextOf(userId)) })))
  return codes.map(formatCode)
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Consumes one of the account's unused codes; false when it is none. `code`: upper case, without the dash. */
export async function consumeRecoveryCode(
  tx: Tx,
  deps: AccountDeps,
  userId: string,
  code: string,
): Promise<boolean> {
  const mine = and(
    eq(recoveryCodes.userId, userId),
    eq(recoveryCodes.hash, deps.secrets.hmac(code, contextOf(userId))),
    isNull(recoveryCodes.usedAt),
  )
  const consumed = await tx.update(recoveryCodes).set({ usedAt: deps.now() }).where(mine).returning()
  return consumed.length > 0
}

/** The number of unused codes. */
export async function recoveryCodesLeft(db: Db | Tx, userId: string): Promise<number> {
  const left = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
  const [row] = await db.select({ n: count() }).from(recoveryCodes).where(left)
  return row?.n ?? 0
}
