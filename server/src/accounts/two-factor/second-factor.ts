import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailSecurityEvent } from '#server/accounts/emails/account-emails.ts'
import type { UserRow } from '#server/accounts/store.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'

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
