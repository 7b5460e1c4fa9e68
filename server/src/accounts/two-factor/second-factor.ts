import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailGuardChanged } from '#server/accounts/mails/account-mail.ts'
import type { UserRow } from '#server/accounts/store.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'

/** What the encryption of a TOTP secret is bound to: moved to another account's row it does not open. */
export const secretContext = (userId: string): string => `totp ${userId}`

/**
 * Is this the account's code, six digits or a recovery code, and not used before? If so it is used now.
 * The owner hears of a spent recovery code by mail.
 */
export async function spendSecondFactor(
  tx: Tx,
  deps: AccountDeps,
  user: UserRow,
  code: string,
): Promise<boolean> {
  if (user.totpSecret === null) return false
  if (/^\d{6}$/.test(code)) return spendTotp(tx, deps, user.id, user.totpSecret, code)
  const spent = await spendRecoveryCode(tx, deps, user.id, code)
  if (spent) await mailGuardChanged(tx, deps, user.email, 'code-used')
  return spent
}

/** A time step counts once, and no earlier one after it. Source: RFC 6238 §5.2. */
export async function spendTotp(
  tx: Tx,
  deps: AccountDeps,
  userId: string,
  sealed: string,
  code: string,
): Promise<boolean> {
  const step = matchingStep(deps.secrets.open(sealed, secretContext(userId)), code, deps.now())
  if (step === undefined) return false
  const later = or(isNull(users.totpLastStep), lt(users.totpLastStep, step))
  const spent = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), later))
    .returning({ id: users.id })
  return spent.length > 0
}
