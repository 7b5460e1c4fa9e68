import type { ActivationAgain } from '@befaqt/domain/account'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailActivation } from '#server/accounts/emails/account-emails.ts'
import { ACTIVATION_PAGE, sameOriginUrl, withToken } from '#server/accounts/emails/same-origin-url.ts'
import { activationsByNetwork, emailsByRecipient } from '#server/accounts/limits/limits.ts'
import { consume } from '#server/accounts/limits/rate-limit.ts'
import { issueToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { userByEmail } from '#server/accounts/store.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { isAwaitingActivation } from './sign-up.ts'

export const ACTIVATION_QUEUE = 'account.activation-again'

const Job = z.object({ email: z.string(), base: z.string() })

/**
 * Sends the activation email again. A job looks up the account, so that the response and its timing do not reveal
 * whether it exists.
 * @throws ShopError `link.foreign_origin`, `rate.limited`
 */
export async function resendActivation(
  deps: AccountDeps,
  input: ActivationAgain,
  client: Client,
): Promise<void> {
  const base = sameOriginUrl(deps.config.PUBLIC_URL, input.actLink, 'actLink', ACTIVATION_PAGE)
  await consume(deps.db, activationsByNetwork(client.network), deps.now())
  await consume(deps.db, emailsByRecipient(input.email), deps.now())
  await enqueue(deps.db, ACTIVATION_QUEUE, { email: input.email, base })
}

/** The job: sends a new link when the account awaits activation. */
export const resendActivationJob =
  (deps: AccountDeps): JobHandler =>
  async (payload) => {
    const { email, base } = Job.parse(payload)
    await deps.db.transaction(async (tx) => {
      const user = await userByEmail(tx, email)
      if (user === undefined || !isAwaitingActivation(user)) return
      const { fname, lname, phone, passwordHash } = user
      const signUp = { fname, lname, phone, passwordHash }
      const token = await issueToken(tx, 'activate', { userId: user.id, signUp }, deps.now())
      await mailActivation(tx, deps, user.email, withToken(base, token))
    })
  }
