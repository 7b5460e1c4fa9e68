import type { ForgotPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailRecovery } from '#server/accounts/emails/account-emails.ts'
import { RESET_PAGE, sameOriginUrl, withToken } from '#server/accounts/emails/same-origin-url.ts'
import { emailsByRecipient, recoveriesByNetwork } from '#server/accounts/limits/limits.ts'
import { consume } from '#server/accounts/limits/rate-limit.ts'
import { issueToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { userByEmail } from '#server/accounts/store.ts'

/**
 * Sends a link to set a new password. Says when there is no such account, because the specification does (§8);
 * limits per network and per recipient keep that from being used to enumerate accounts.
 * @throws ShopError `user.not_found`, `link.foreign_origin`, `rate.limited`
 */
export async function forgotPassword(
  deps: AccountDeps,
  input: ForgotPassword,
  client: Client,
): Promise<void> {
  const base = sameOriginUrl(deps.config.PUBLIC_URL, input.resetPasswordLink, 'resetPasswordLink', RESET_PAGE)
  await consume(deps.db, recoveriesByNetwork(client.network), deps.now())
  await consume(deps.db, emailsByRecipient(input.email), deps.now())
  await deps.db.transaction(async (tx) => {
    const user = await userByEmail(tx, input.email)
    if (user === undefined) throw new ShopError('user.not_found', 'No account has this email address.')
    const token = await issueToken(tx, 'reset', { userId: user.id }, deps.now())
    await mailRecovery(tx, deps, user.email, withToken(base, token))
  })
}
