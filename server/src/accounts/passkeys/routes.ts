import { PasswordAgain } from '@befaqt/domain/account'
import { NewPasskey } from '@befaqt/domain/passkey'
import type { FastifyInstance } from 'fastify'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys.ts'

/** The passkeys of one's own account; those who sign in with one come to `sign-in/routes.ts`. */
export function passkeyRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/user/passkeys', (request) => listPasskeys(deps.db, signedIn(request.asker).userId))
  app.post('/api/user/passkeys/options', (request) => {
    const { userId } = signedIn(request.asker)
    return beginPasskey(deps, userId, parse(PasswordAgain, request.body).password)
  })
  app.post('/api/user/passkeys', async (request, reply) => {
    const input = parse(NewPasskey, request.body)
    await countNotice(deps, request)
    await addPasskey(deps, signedIn(request.asker).userId, input)
    return reply.code(201).send({ message: 'The passkey was added.' })
  })
  app.delete<{ Params: { id: string } }>('/api/user/passkeys/:id', async (request) => {
    await countNotice(deps, request)
    await removePasskey(deps, signedIn(request.asker).userId, request.params.id)
    return { message: 'The passkey was removed.' }
  })
}
