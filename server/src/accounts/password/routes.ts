import { ChangePassword, ForgotPassword, ResetPassword } from '@befaqt/domain/account'
import * as endpoints from '@befaqt/domain/api/endpoints/password'
import type { FastifyInstance } from 'fastify'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { limitNotices } from '#server/accounts/limits/limit-notices.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { setDeviceCookie } from '#server/accounts/sessions/cookies.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { changePassword } from './change-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { resetPassword } from './reset-password.ts'

export const passwordOperations = defineRoutes(endpoints, {
  changePassword: {
    summary: 'Change own password; other sessions end.',
    access: 'user',
    limits: 'account',
    body: ChangePassword,
    responses: { 200: Message },
  },
  forgotPassword: {
    summary: 'Ask for a recovery email.',
    access: 'public',
    limits: 'mail',
    body: ForgotPassword,
    responses: { 200: Message },
    errors: [404],
  },
  resetPassword: {
    summary: 'Set a new password by the token of the email.',
    access: 'public',
    limits: 'link',
    body: ResetPassword,
    responses: { 201: Message },
  },
})

/** A new password, by the old one or by email. Status codes: spec §7. */
export function passwordRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, passwordOperations.changePassword, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await changePassword(deps, requireUser(principal), body)
    return { message: 'The password was changed.' }
  })
  registerRoute(app, passwordOperations.forgotPassword, async ({ body, request }) => {
    await forgotPassword(deps, body, clientOf(request))
    return { message: 'A recovery email was sent.' }
  })
  registerRoute(app, passwordOperations.resetPassword, async ({ body, request, reply }) => {
    const device = await resetPassword(deps, body, clientOf(request))
    setDeviceCookie(reply, deps.config, device.deviceToken)
    return { message: 'Password Reset Done' }
  })
}
