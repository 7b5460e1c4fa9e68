import type { ChangePassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailPasswordChanged } from '#server/accounts/emails/account-emails.ts'
import { revokeTokens } from '#server/accounts/one-time-tokens.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { lockUser } from '#server/accounts/store.ts'
import { users } from '#server/db/schema/accounts.ts'
import { assertNotGuessedFirst } from './frequent-passwords.ts'
import { reauthenticate } from './reauthenticate.ts'

/**
 * Changes the password, ends all other sessions and notifies the owner.
 * @throws ShopError `input.invalid` at `currentPassword`, or at `password` for one that is guessed first, `rate.limited`
 */
export async function changePassword(
  deps: AccountDeps,
  principal: { userId: string; sessionId: string },
  input: ChangePassword,
): Promise<void> {
  const before = await reauthenticate(deps, principal.userId, input.currentPassword, 'currentPassword')
  assertNotGuessedFirst(input.password, before.email, deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, principal.userId)
    if (user?.passwordHash !== before.passwordHash)
      throw new ShopError('conflict', 'The password was changed in the meantime.')
    await tx.update(users).set({ passwordHash, updatedAt: deps.now() }).where(eq(users.id, user.id))
    await endSessions(tx, user.id, principal.sessionId)
    await revokeTokens(tx, 'reset', user.id)
    await mailPasswordChanged(tx, deps, user.email)
  })
}
