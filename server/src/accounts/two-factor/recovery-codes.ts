import { randomInt } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { recoveryCodes } from '#server/db/schema/accounts.ts'

const CODES = 10
const LENGTH = 10
/** Crockford's base 32: no letter that passes for a digit. 10 of them are 50 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const contextOf = (userId: string): string => `recovery code ${userId}`

/** As people read it: two groups of five. */
const shown = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** Makes ten new codes, the old ones no longer work. The answer is the only time that they can be read. */
export async function replaceRecoveryCodes(tx: Tx, deps: AccountDeps, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await dropRecoveryCodes(tx, userId)
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: deps.secrets.fingerprint(code, contextOf(userId)) })))
  return codes.map(shown)
}

export async function dropRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Is it one of the account's codes, not used before? If so it is used now. `code`: upper case, without the dash. */
export async function spendRecoveryCode(
  tx: Tx,
  deps: AccountDeps,
  userId: string,
  code: string,
): Promise<boolean> {
  const mine = and(
    eq(recoveryCodes.userId, userId),
    eq(recoveryCodes.hash, deps.secrets.fingerprint(code, contextOf(userId))),
    isNull(recoveryCodes.usedAt),
  )
  const spent = await tx.update(recoveryCodes).set({ usedAt: deps.now() }).where(mine).returning()
  return spent.length > 0
}

/** How many are left. */
export async function recoveryCodesLeft(db: Db | Tx, userId: string): Promise<number> {
  const left = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
  const [row] = await db.select({ n: count() }).from(recoveryCodes).where(left)
  return row?.n ?? 0
}
