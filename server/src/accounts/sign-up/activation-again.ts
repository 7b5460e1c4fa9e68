import type { ActivationAgain } from '@befaqt/domain/account'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { activationsFrom, mailsTo } from '#server/accounts/limits/limits.ts'
import { take } from '#server/accounts/limits/rate-limit.ts'
import { mailActivation } from '#server/accounts/mails/account-mail.ts'
import { ACTIVATION_PAGE, linkWith, ownLinkBase } from '#server/accounts/mails/own-link.ts'
import { issueToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { userByEmail } from '#server/accounts/store.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { awaitsActivation } from './sign-up.ts'

export const ACTIVATION_QUEUE = 'account.activation-again'

const Job = z.object({ email: z.string(), base: z.string() })

/**
 * Has the activation mail sent again. Whether there is such an account is looked up by a job, so that the answer
 * and its time are the same.
 * @throws ShopError `link.foreign_origin`, `rate.limited`
 */
export async function activationAgain(
  deps: AccountDeps,
  input: ActivationAgain,
  client: Client,
): Promise<void> {
  const base = ownLinkBase(deps.config.PUBLIC_URL, input.actLink, 'actLink', ACTIVATION_PAGE)
  await take(deps.db, activationsFrom(client.network), deps.now())
  await take(deps.db, mailsTo(input.email), deps.now())
  await enqueue(deps.db, ACTIVATION_QUEUE, { email: input.email, base })
}

/** The job: a new link for an account that waits for one, nothing for any other. */
export const activationAgainJob =
  (deps: AccountDeps): JobHandler =>
  async (payload) => {
    const { email, base } = Job.parse(payload)
    await deps.db.transaction(async (tx) => {
      const user = await userByEmail(tx, email)
      if (user === undefined || !awaitsActivation(user)) return
      const { fname, lname, phone, passwordHash } = user
      const signUp = { fname, lname, phone, passwordHash }
      const token = await issueToken(tx, 'activate', { userId: user.id, signUp }, deps.now())
      await mailActivation(tx, deps, user.email, linkWith(base, token))
    })
  }
