import type { SignIn } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import type { Role } from '@befaqt/domain/status'
import { and, eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { codesOf } from '#server/accounts/limits/limits.ts'
import { forget, take } from '#server/accounts/limits/rate-limit.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { type NewSession, startSession } from '#server/accounts/sessions/sessions.ts'
import { awaitsActivation } from '#server/accounts/sign-up/sign-up.ts'
import { lockUser, type UserRow, userByEmail } from '#server/accounts/store.ts'
import { spendSecondFactor } from '#server/accounts/two-factor/second-factor.ts'
import { users } from '#server/db/schema/accounts.ts'
import { guardSignIn } from './sign-in-guard.ts'

/** Somebody who is in: the new session and whose it is. */
export type SignedIn = NewSession & { user: { fname: string; role: Role } }

const refused = () => new ShopError('signin.refused', 'Email or password is wrong.')

/**
 * Signs in with e-mail, password and, where it is on, the second factor. Unknown address and wrong password are
 * the same refusal at the same cost; that an account is shut is told only to who has its password.
 * @returns null: the password is right and the code is wanted
 * @throws ShopError `signin.refused`, `twofa.refused`, `account.inactive`, `account.disabled`, `rate.limited`
 */
export async function signIn(deps: AccountDeps, input: SignIn, client: Client): Promise<SignedIn | null> {
  const passed = await guardSignIn(deps, input.email, client)
  const user = await userByEmail(deps.db, input.email)
  const right = await deps.passwords.matches(input.password, user?.passwordHash)
  if (!right || user === undefined) throw refused()
  await passed()
  assertOpen(user)
  if (user.totpConfirmedAt !== null && !input.twoFaToken) return null
  await rehash(deps, user, input.password)
  return enter(deps, user, input.twoFaToken ?? undefined, client)
}

/** @throws ShopError `account.inactive`, details `{ canResend }`, or `account.disabled` */
export function assertOpen(user: UserRow): void {
  if (user.status === 'DISABLED') throw new ShopError('account.disabled', 'This account is disabled.')
  if (user.status === 'ACTIVE') return
  const canResend = awaitsActivation(user)
  const message = canResend
    ? 'This account is not active yet. Open the link in the activation e-mail.'
    : 'This account is not active.'
  throw new ShopError('account.inactive', message, { details: { canResend } })
}

/** Brings the hash of a password that was just proved up to today's cost. */
async function rehash(deps: AccountDeps, user: UserRow, password: string): Promise<void> {
  if (!deps.passwords.isOutdated(user.passwordHash)) return
  const passwordHash = await deps.passwords.hash(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash))
  const updated = await deps.db
    .update(users)
    .set({ passwordHash })
    .where(unchanged)
    .returning({ id: users.id })
  if (updated.length > 0) user.passwordHash = passwordHash
}

/**
 * Spends the code and begins the session in one transaction that holds the account, so that none is begun after
 * a change of password or status has ended them all.
 */
async function enter(
  deps: AccountDeps,
  user: UserRow,
  code: string | undefined,
  client: Client,
): Promise<SignedIn> {
  if (user.totpConfirmedAt !== null) await take(deps.db, codesOf(user.id), deps.now())
  const session = await deps.db.transaction(async (tx) => {
    const now = await lockUser(tx, user.id)
    if (now === undefined || now.passwordHash !== user.passwordHash) throw refused()
    assertOpen(now)
    if (now.totpConfirmedAt !== null && !(await spendSecondFactor(tx, deps, now, code ?? '')))
      throw new ShopError('twofa.refused', 'The code is wrong or was used before.')
    return startSession(tx, user.id, client, deps.now())
  })
  if (user.totpConfirmedAt !== null) await forget(deps.db, codesOf(user.id))
  return { ...session, user: { fname: user.fname, role: user.role } }
}
