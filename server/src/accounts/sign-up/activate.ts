import type { Activate } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { linksByNetwork } from '#server/accounts/limits/limits.ts'
import { consume, refund } from '#server/accounts/limits/rate-limit.ts'
import { consumeToken, revokeTokens } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { lockUser } from '#server/accounts/store.ts'
import { users } from '#server/db/schema/accounts.ts'
import { isAwaitingActivation } from './sign-up.ts'

/**
 * Activates the account of an activation link, with the names and password of the sign-up that the link was sent for:
 * a stranger who signs up with somebody's address can't get his own password activated by the link that the owner
 * requested. Links of other sign-ups are revoked.
 * @throws ShopError `token.invalid`, `account.disabled`, `rate.limited`
 */
export async function activate(
  deps: AccountDeps,
  input: Activate,
  client: Client,
): Promise<{ email: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const email = await deps.db.transaction(async (tx) => {
    const { userId, signUp } = await consumeToken(tx, 'activate', input.token, deps.now())
    const user = userId === null ? undefined : await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('token.invalid', 'This link is not valid.')
    if (user.status === 'DISABLED') throw new ShopError('account.disabled', 'This account is disabled.')
    if (isAwaitingActivation(user)) {
      const opened = { status: 'ACTIVE', activatedAt: deps.now(), updatedAt: deps.now() } as const
      await tx
        .update(users)
        .set({ ...signUp, ...opened })
        .where(eq(users.id, user.id))
    }
    await revokeTokens(tx, 'activate', user.id)
    return user.email
  })
  await refund(deps.db, limit)
  return { email }
}
