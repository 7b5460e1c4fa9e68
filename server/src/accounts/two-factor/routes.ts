import { BothFactors, ConfirmTwoFa, PasswordAgain } from '@befaqt/domain/account'
import type { FastifyInstance } from 'fastify'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { beginTwoFa, confirmTwoFa, endTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

/** The second factor of one's own account. */
export function twoFactorRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/user/twoFa/setup', (request) => {
    const { userId } = signedIn(request.asker)
    return beginTwoFa(deps, userId, parse(PasswordAgain, request.body).password)
  })
  app.post('/api/user/twoFa/confirm', async (request) => {
    const { userId } = signedIn(request.asker)
    const { twoFaToken } = parse(ConfirmTwoFa, request.body)
    await countNotice(deps, request)
    return { recoveryCodes: await confirmTwoFa(deps, userId, twoFaToken) }
  })
  app.post('/api/user/twoFa/off', async (request) => {
    const proof = parse(BothFactors, request.body)
    await countNotice(deps, request)
    await endTwoFa(deps, signedIn(request.asker).userId, proof)
    return { message: 'The second factor is off.' }
  })
  app.post('/api/user/twoFa/recoveryCodes', async (request) => {
    const { userId } = signedIn(request.asker)
    const proof = parse(BothFactors, request.body)
    await countNotice(deps, request)
    return { recoveryCodes: await renewRecoveryCodes(deps, userId, proof) }
  })
}
