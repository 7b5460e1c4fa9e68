import type { FastifyRequest } from 'fastify'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { noticesByNetwork } from './limits.ts'
import { consume } from './rate-limit.ts'

/**
 * Limits changes that the account's owner is notified of by email, per network, whether or not they succeed.
 * @throws ShopError `rate.limited`
 */
export const limitNotices = (deps: Pick<AccountDeps, 'db' | 'now'>, request: FastifyRequest): Promise<void> =>
  consume(deps.db, noticesByNetwork(clientOf(request).network), deps.now())
