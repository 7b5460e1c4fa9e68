import type { ResetPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailPasswordChanged } from '#server/accounts/emails/account-emails.ts'
import { linksByNetwork } from '#server/accounts/limits/limits.ts'
import { consume, refund } from '#server/accounts/limits/rate-limit.ts'
import { checkToken, consumeToken, revokeTokens } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { deviceTokenOrNew } from '#server/accounts/sessions/cookies.ts'
import { rememberDevice } from '#server/accounts/sessions/known-devices.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { assertActive } from '#server/accounts/sign-in/sign-in.ts'
import { isAwaitingActivation } from '#server/accounts/sign-up/sign-up.ts'
import { lockUser, type UserRow, userById } from '#server/accounts/store.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { assertNotGuessedFirst } from './frequent-passwords.ts'

/**
 * Sets a new password by an emailed link, ends all sessions and notifies the owner. The link verifies the address, so it
 * also activates an account that was waiting for that, and makes this browser a known device.
 * @returns the device token, for its cookie
 * @throws ShopError `token.invalid`, `rate.limited`, `input.invalid` at `password` for one that is guessed first,
 *   `account.inactive` or `account.disabled` where the shop ended the account: a new password would open nothing
 */
export async function resetPassword(
  deps: AccountDeps,
  input: ResetPassword,
  client: Client,
): Promise<{ deviceToken: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const owner = await checkToken(deps.db, 'reset', input.emailToken, deps.now())
  const user = owner.userId === null ? undefined : await userById(deps.db, owner.userId)
  assertNotGuessedFirst(input.password, user?.email ?? '', deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  const deviceToken = deviceTokenOrNew(client.deviceToken)
  await deps.db.transaction(async (tx) => {
    const { userId } = await consumeToken(tx, 'reset', input.emailToken, deps.now())
    const user = userId === null ? undefined : await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('token.invalid', 'This link is not valid.')
    if (!isAwaitingActivation(user)) assertActive(user)
    await replacePassword(tx, deps, user, passwordHash)
    await rememberDevice(tx, user.id, deviceToken, deps.now())
  })
  await refund(deps.db, limit)
  return { deviceToken }
}

async function replacePassword(
  tx: Tx,
  deps: AccountDeps,
  user: UserRow,
  passwordHash: string,
): Promise<void> {
  const now = deps.now()
  const opened = isAwaitingActivation(user) ? ({ status: 'ACTIVE', activatedAt: now } as const) : {}
  await tx
    .update(users)
    .set({ passwordHash, ...opened, updatedAt: now })
    .where(eq(users.id, user.id))
  await endSessions(tx, user.id)
  await revokeTokens(tx, 'reset', user.id)
  await revokeTokens(tx, 'activate', user.id)
  await mailPasswordChanged(tx, deps, user.email)
}
