import type { FastifyRequest } from 'fastify'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { noticesFrom } from './limits.ts'
import { take } from './rate-limit.ts'

/**
 * Counts a change that its owner is told of by mail against the network it comes from, whether or not it succeeds.
 * @throws ShopError `rate.limited`
 */
export const countNotice = (deps: Pick<AccountDeps, 'db' | 'now'>, request: FastifyRequest): Promise<void> =>
  take(deps.db, noticesFrom(clientOf(request).network), deps.now())
