import type { ResetPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { linksFrom } from '#server/accounts/limits/limits.ts'
import { giveBack, take } from '#server/accounts/limits/rate-limit.ts'
import { mailPasswordChanged } from '#server/accounts/mails/account-mail.ts'
import { checkToken, dropTokens, spendToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { deviceTokenOr } from '#server/accounts/sessions/cookies.ts'
import { rememberDevice } from '#server/accounts/sessions/known-devices.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { awaitsActivation } from '#server/accounts/sign-up/sign-up.ts'
import { lockUser, type UserRow } from '#server/accounts/store.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'

/**
 * Sets a new password by a mailed link, ends all sessions and tells the owner. The link proves the mailbox, so it
 * also opens an account that was waiting for its activation, and makes this browser one that the account knows.
 * @returns the mark of the browser, for its cookie
 * @throws ShopError `token.invalid`, `rate.limited`
 */
export async function resetPassword(
  deps: AccountDeps,
  input: ResetPassword,
  client: Client,
): Promise<{ deviceToken: string }> {
  const limit = linksFrom(client.network)
  await take(deps.db, limit, deps.now())
  await checkToken(deps.db, 'reset', input.emailToken, deps.now())
  const passwordHash = await deps.passwords.hash(input.password)
  const deviceToken = deviceTokenOr(client.deviceToken)
  await deps.db.transaction(async (tx) => {
    const { userId } = await spendToken(tx, 'reset', input.emailToken, deps.now())
    const user = userId === null ? undefined : await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('token.invalid', 'This link is not valid.')
    await replacePassword(tx, deps, user, passwordHash)
    await rememberDevice(tx, user.id, deviceToken, deps.now())
  })
  await giveBack(deps.db, limit)
  return { deviceToken }
}

async function replacePassword(
  tx: Tx,
  deps: AccountDeps,
  user: UserRow,
  passwordHash: string,
): Promise<void> {
  const now = deps.now()
  const opened = awaitsActivation(user) ? ({ status: 'ACTIVE', activatedAt: now } as const) : {}
  await tx
    .update(users)
    .set({ passwordHash, ...opened, updatedAt: now })
    .where(eq(users.id, user.id))
  await endSessions(tx, user.id)
  await dropTokens(tx, 'reset', user.id)
  await dropTokens(tx, 'activate', user.id)
  await mailPasswordChanged(tx, deps, user.email)
}
