import { Activate, ActivationAgain, FirstAdmin, SignUp } from '@befaqt/domain/account'
import * as endpoints from '@befaqt/domain/api/endpoints/sign-up'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { activate } from './activate.ts'
import { setUpFirstAdmin } from './first-admin.ts'
import { resendActivation } from './resend-activation.ts'
import { signUp } from './sign-up.ts'

const call = { access: 'public' } as const

export const signUpOperations = defineRoutes(endpoints, {
  signUp: {
    ...call,
    summary: 'Create an account; an activation email follows.',
    limits: 'mail',
    body: SignUp,
    responses: { 201: Message },
  },
  activate: {
    ...call,
    summary: 'Activate an account by the token of the email.',
    limits: 'link',
    body: Activate,
    responses: { 200: z.strictObject({ email: z.string() }) },
  },
  sendActivationAgain: {
    ...call,
    summary: 'Send the activation email again.',
    limits: 'mail',
    body: ActivationAgain,
    responses: { 202: Message },
  },
  setUpFirstAdmin: {
    ...call,
    summary: 'Set up the first administrator by the printed link.',
    limits: 'link',
    body: FirstAdmin,
    responses: { 201: Message },
  },
})

/** Sign-up and activation. Status codes: spec §7. */
export function signUpRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, signUpOperations.signUp, async ({ body, request }) => {
    await signUp(deps, body, clientOf(request))
    return { message: 'An activation email was sent.' }
  })
  registerRoute(app, signUpOperations.activate, ({ body, request }) =>
    activate(deps, body, clientOf(request)),
  )
  registerRoute(app, signUpOperations.sendActivationAgain, async ({ body, request }) => {
    await resendActivation(deps, body, clientOf(request))
    return { message: 'If an account waits for it, an activation email was sent.' }
  })
  registerRoute(app, signUpOperations.setUpFirstAdmin, async ({ body, request }) => {
    await setUpFirstAdmin(deps, body, clientOf(request))
    return { message: 'The administrator was made.' }
  })
}
