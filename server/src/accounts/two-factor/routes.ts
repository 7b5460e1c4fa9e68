import { BothFactors, ConfirmTwoFa, PasswordAgain } from '@befaqt/domain/account'
import { NewPasskey } from '@befaqt/domain/passkey'
import type { FastifyInstance } from 'fastify'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '#server/accounts/passkeys/passkeys.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { beginTwoFa, confirmTwoFa, endTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

/** What stands guard over one's own account: the second factor and passkeys. */
export function guardRoutes(app: FastifyInstance, deps: Deps): void {
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
