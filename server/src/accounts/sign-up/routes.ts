import { Activate, ActivationAgain, FirstAdmin, SignUp } from '@befaqt/domain/account'
import type { FastifyInstance } from 'fastify'
import { clientOf } from '#server/accounts/sessions/client.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { activate } from './activate.ts'
import { activationAgain } from './activation-again.ts'
import { setUpFirstAdmin } from './first-admin.ts'
import { signUp } from './sign-up.ts'

/** Sign-up and activation. Status codes: spec §7. */
export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/user/signUp', async (request, reply) => {
    await signUp(deps, parse(SignUp, request.body), clientOf(request))
    return reply.code(201).send({ message: 'An activation e-mail was sent.' })
  })
  app.post('/api/user/activate', (request) =>
    activate(deps, parse(Activate, request.body), clientOf(request)),
  )
  app.post('/api/user/activate/again', async (request, reply) => {
    await activationAgain(deps, parse(ActivationAgain, request.body), clientOf(request))
    return reply.code(202).send({ message: 'If an account waits for it, an activation e-mail was sent.' })
  })
  app.post('/api/user/firstAdmin', async (request, reply) => {
    await setUpFirstAdmin(deps, parse(FirstAdmin, request.body), clientOf(request))
    return reply.code(201).send({ message: 'The administrator was made.' })
  })
}
