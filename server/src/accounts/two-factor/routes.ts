import { BothFactors, ConfirmTwoFa, PasswordAgain } from '@befaqt/domain/account'
import { TwoFaSetup } from '@befaqt/domain/api/account-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import type { Deps } from '#server/deps.ts'
import { Message } from '#server/http/answers.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { signedIn } from '#server/identity/principal.ts'
import { beginTwoFa, confirmTwoFa, endTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

const own = { method: 'POST', access: 'user', limits: 'account' } as const
const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

export const twoFactorCalls = defineRoutes({
  beginTwoFa: {
    ...own,
    url: '/api/user/twoFa/setup',
    summary: 'Begin a second factor.',
    body: PasswordAgain,
    answers: { 200: TwoFaSetup },
  },
  confirmTwoFa: {
    ...own,
    url: '/api/user/twoFa/confirm',
    summary: 'Confirm it by a code; recovery codes are answered once.',
    body: ConfirmTwoFa,
    answers: { 200: RecoveryCodes },
  },
  endTwoFa: {
    ...own,
    url: '/api/user/twoFa/off',
    summary: 'Switch the second factor off.',
    body: BothFactors,
    answers: { 200: Message },
  },
  renewRecoveryCodes: {
    ...own,
    url: '/api/user/twoFa/recoveryCodes',
    summary: 'Make new recovery codes.',
    body: BothFactors,
    answers: { 200: RecoveryCodes },
  },
})

/** The second factor of one's own account. */
export function twoFactorRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, twoFactorCalls.beginTwoFa, ({ asker, body }) =>
    beginTwoFa(deps, signedIn(asker).userId, body.password),
  )
  serve(app, twoFactorCalls.confirmTwoFa, async ({ asker, body, request }) => {
    await countNotice(deps, request)
    return { recoveryCodes: await confirmTwoFa(deps, signedIn(asker).userId, body.twoFaToken) }
  })
  serve(app, twoFactorCalls.endTwoFa, async ({ asker, body, request }) => {
    await countNotice(deps, request)
    await endTwoFa(deps, signedIn(asker).userId, body)
    return { message: 'The second factor is off.' }
  })
  serve(app, twoFactorCalls.renewRecoveryCodes, async ({ asker, body, request }) => {
    await countNotice(deps, request)
    return { recoveryCodes: await renewRecoveryCodes(deps, signedIn(asker).userId, body) }
  })
}
