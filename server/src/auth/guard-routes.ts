import { BothFactors, ConfirmTwoFa, PasswordAgain } from '@befaqt/domain/account'
import { NewPasskey } from '@befaqt/domain/passkey'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from './asker.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys.ts'
import { beginTwoFa, confirmTwoFa, endTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

/** What stands guard over one's own account: the second factor and passkeys. */
export function guardRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/user/twoFa/setup', (request) => {
    const { userId } = signedIn(request.asker)
    return beginTwoFa(deps, userId, parse(PasswordAgain, request.body).password)
  })
  app.post('/api/user/twoFa/confirm', async (request) => {
    const { userId } = signedIn(request.asker)
    return { recoveryCodes: await confirmTwoFa(deps, userId, parse(ConfirmTwoFa, request.body).twoFaToken) }
  })
  app.post('/api/user/twoFa/off', async (request) => {
    await endTwoFa(deps, signedIn(request.asker).userId, parse(BothFactors, request.body))
    return { message: 'The second factor is off.' }
  })
  app.post('/api/user/twoFa/recoveryCodes', async (request) => {
    const { userId } = signedIn(request.asker)
    return { recoveryCodes: await renewRecoveryCodes(deps, userId, parse(BothFactors, request.body)) }
  })
  app.get('/api/user/passkeys', (request) => listPasskeys(deps.db, signedIn(request.asker).userId))
  app.post('/api/user/passkeys/options', (request) => {
    const { userId } = signedIn(request.asker)
    return beginPasskey(deps, userId, parse(PasswordAgain, request.body).password)
  })
  app.post('/api/user/passkeys', async (request, reply) => {
    await addPasskey(deps, signedIn(request.asker).userId, parse(NewPasskey, request.body))
    return reply.code(201).send({ message: 'The passkey was added.' })
  })
  app.delete<{ Params: { id: string } }>('/api/user/passkeys/:id', async (request) => {
    await removePasskey(deps, signedIn(request.asker).userId, request.params.id)
    return { message: 'The passkey was removed.' }
  })
}
