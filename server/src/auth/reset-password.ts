import type { ResetPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { AccountDeps } from './account-deps.ts'
import { mailPasswordChanged } from './account-mail.ts'
import type { Client } from './client.ts'
import { deviceTokenOr } from './cookies.ts'
import { rememberDevice } from './known-devices.ts'
import { linksFrom } from './limits.ts'
import { checkToken, dropTokens, spendToken } from './one-time-tokens.ts'
import { giveBack, take } from './rate-limit.ts'
import { endSessions } from './sessions.ts'
import { awaitsActivation } from './sign-up.ts'
import { lockUser, type UserRow } from './store.ts'

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
