import { BothFactors, ConfirmTwoFa, Reauthentication } from '@befaqt/domain/account'
import { TwoFaSetup } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/two-factor'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { limitNotices } from '#server/accounts/limits/limit-notices.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { beginTwoFa, confirmTwoFa, disableTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

const own = { access: 'user', limits: 'account' } as const
const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

export const twoFactorOperations = defineRoutes(endpoints, {
  beginTwoFa: {
    ...own,
    summary: 'Begin a second factor.',
    body: Reauthentication,
    responses: { 200: TwoFaSetup },
  },
  confirmTwoFa: {
    ...own,
    summary: 'Confirm it by a code; recovery codes are returned this once.',
    body: ConfirmTwoFa,
    responses: { 200: RecoveryCodes },
  },
  endTwoFa: {
    ...own,
    summary: 'Switch the second factor off.',
    body: BothFactors,
    responses: { 200: Message },
  },
  renewRecoveryCodes: {
    ...own,
    summary: 'Make new recovery codes.',
    body: BothFactors,
    responses: { 200: RecoveryCodes },
  },
})

/** The second factor of one's own account. */
export function twoFactorRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, twoFactorOperations.beginTwoFa, ({ principal, body }) =>
    beginTwoFa(deps, requireUser(principal).userId, body.password),
  )
  registerRoute(app, twoFactorOperations.confirmTwoFa, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    return { recoveryCodes: await confirmTwoFa(deps, requireUser(principal).userId, body.twoFaToken) }
  })
  registerRoute(app, twoFactorOperations.endTwoFa, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await disableTwoFa(deps, requireUser(principal).userId, body)
    return { message: 'Two-step login is off.' }
  })
  registerRoute(app, twoFactorOperations.renewRecoveryCodes, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    return { recoveryCodes: await renewRecoveryCodes(deps, requireUser(principal).userId, body) }
  })
}
