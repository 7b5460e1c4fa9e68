import { randomInt } from 'node:crypto'
import { and, count, eq, isNull, lt, or } from 'drizzle-orm'
import { generateSecret, generateSync, generateURI } from 'otplib'
import type { AccountDeps, UserRow } from '#server/accounts/account.ts'
import { mailSecurityEvent } from '#server/accounts/account-emails.ts'
import { sameSecret } from '#server/accounts/tokens.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { recoveryCodes, users } from '#server/db/schema/accounts.ts'

/** The context that a TOTP secret is encrypted with: moved to another account's row it cannot be decrypted. */
export const secretContext = (userId: string): string => `totp ${userId}`

/**
 * Consumes a code of the account, six digits or a recovery code; false when it is wrong or used. The owner is notified
 * of a used recovery code by email.
 */
export async function consumeSecondFactor(
  tx: Tx,
  deps: AccountDeps,
  user: UserRow,
  code: string,
): Promise<boolean> {
  if (user.totpSecret === null) return false
  if (/^\d{6}$/.test(code)) return consumeTotp(tx, deps, user.id, user.totpSecret, code)
  const spent = await consumeRecoveryCode(tx, deps, user.id, code)
  if (spent) await mailSecurityEvent(tx, deps, user.email, 'code-used')
  return spent
}

/** A time step is accepted once, and no earlier one after it. Source: RFC 6238 §5.2. */
export async function consumeTotp(
  tx: Tx,
  deps: AccountDeps,
  userId: string,
  encrypted: string,
  code: string,
): Promise<boolean> {
  const step = matchingStep(deps.secrets.decrypt(encrypted, secretContext(userId)), code, deps.now())
  if (step === undefined) return false
  const later = or(isNull(users.totpLastStep), lt(users.totpLastStep, step))
  const spent = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), later))
    .returning({ id: users.id })
  return spent.length > 0
}

/** Seconds that a code is shown for. Source: RFC 6238 §5.2. */
const PERIOD_S = 30
/** Phones' clocks drift by some seconds: the previous and the next code are accepted, too. */
const STEPS = [0, -1, 1] as const

/** A new secret of 160 bits, base32. Source: RFC 4226 §4 R6. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

/** The URI that authenticator apps read: secret, issuer and label. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  generateURI({ secret, issuer, label })

const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / PERIOD_S)

/** The six digits that an authenticator shows at this moment. */
export const totpAt = (secret: string, now: Date): string => codeOf(secret, stepAt(now))

const codeOf = (secret: string, step: number): string => generateSync({ secret, epoch: step * PERIOD_S })

/** The time step of this code, current or one step off; undefined when it matches none. */
export function matchingStep(secret: string, code: string, now: Date): number | undefined {
  const around = STEPS.map((offset) => stepAt(now) + offset)
  return around.filter((step) => sameSecret(codeOf(secret, step), code))[0]
}

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
async function consumeRecoveryCode(
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
