import type { ForgotPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailsTo, recoveriesFrom } from '#server/accounts/limits/limits.ts'
import { take } from '#server/accounts/limits/rate-limit.ts'
import { mailRecovery } from '#server/accounts/mails/account-mail.ts'
import { linkWith, ownLinkBase, RESET_PAGE } from '#server/accounts/mails/own-link.ts'
import { issueToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { userByEmail } from '#server/accounts/store.ts'

/**
 * Mails a link to set a new password. Says when there is no such account, because the specification does (§8);
 * limits per address and per mailbox keep that from becoming a way to find out who has one.
 * @throws ShopError `user.not_found`, `link.foreign_origin`, `rate.limited`
 */
export async function forgotPassword(
  deps: AccountDeps,
  input: ForgotPassword,
  client: Client,
): Promise<void> {
  const base = ownLinkBase(deps.config.PUBLIC_URL, input.resetPasswordLink, 'resetPasswordLink', RESET_PAGE)
  await take(deps.db, recoveriesFrom(client.network), deps.now())
  await take(deps.db, mailsTo(input.email), deps.now())
  await deps.db.transaction(async (tx) => {
    const user = await userByEmail(tx, input.email)
    if (user === undefined) throw new ShopError('user.not_found', 'No account has this email address.')
    const token = await issueToken(tx, 'reset', { userId: user.id }, deps.now())
    await mailRecovery(tx, deps, user.email, linkWith(base, token))
  })
}
