import { ChangePassword, ForgotPassword, ResetPassword } from '@befaqt/domain/account'
import type { FastifyInstance } from 'fastify'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { setDeviceCookie } from '#server/accounts/sessions/cookies.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { changePassword } from './change-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

/** A new password, by the old one or by mail. Status codes: spec §7. */
export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/user/password', async (request) => {
    const input = parse(ChangePassword, request.body)
    await countNotice(deps, request)
    await changePassword(deps, signedIn(request.asker), input)
    return { message: 'The password was changed.' }
  })
  app.patch('/api/user/forgotpassword', async (request) => {
    await forgotPassword(deps, parse(ForgotPassword, request.body), clientOf(request))
    return { message: 'A recovery e-mail was sent.' }
  })
  app.patch('/api/user/resetpassword', async (request, reply) => {
    const device = await resetPassword(deps, parse(ResetPassword, request.body), clientOf(request))
    setDeviceCookie(reply, deps.config, device.deviceToken)
    return reply.code(201).send({ message: 'Password Reset Done' })
  })
}
