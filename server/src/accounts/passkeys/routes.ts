import { PasswordAgain } from '@befaqt/domain/account'
import { PasskeyView } from '@befaqt/domain/api/account-api'
import { NewPasskey } from '@befaqt/domain/passkey'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import type { Deps } from '#server/deps.ts'
import { Message } from '#server/http/answers.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { signedIn } from '#server/identity/principal.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys.ts'

const own = { access: 'user', limits: 'account' } as const

export const passkeyCalls = defineRoutes({
  listPasskeys: {
    ...own,
    method: 'GET',
    url: '/api/user/passkeys',
    summary: 'Own passkeys.',
    answers: { 200: z.array(PasskeyView) },
  },
  beginPasskey: {
    ...own,
    method: 'POST',
    url: '/api/user/passkeys/options',
    summary: 'Begin adding a passkey: what WebAuthn’s create() takes.',
    body: PasswordAgain,
    answers: { 200: z.looseObject({ challenge: z.string() }) },
  },
  addPasskey: {
    ...own,
    method: 'POST',
    url: '/api/user/passkeys',
    summary: 'Add a passkey.',
    body: NewPasskey,
    answers: { 201: Message },
  },
  removePasskey: {
    ...own,
    method: 'DELETE',
    url: '/api/user/passkeys/:id',
    summary: 'Remove a passkey.',
    answers: { 200: Message },
  },
})

/** The passkeys of one's own account; those who sign in with one come to `sign-in/routes.ts`. */
export function passkeyRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, passkeyCalls.listPasskeys, ({ asker }) => listPasskeys(deps.db, signedIn(asker).userId))
  serve(app, passkeyCalls.beginPasskey, async ({ asker, body }) => ({
    ...(await beginPasskey(deps, signedIn(asker).userId, body.password)),
  }))
  serve(app, passkeyCalls.addPasskey, async ({ asker, body, request }) => {
    await countNotice(deps, request)
    await addPasskey(deps, signedIn(asker).userId, body)
    return { message: 'The passkey was added.' }
  })
  serve(app, passkeyCalls.removePasskey, async ({ asker, params, request }) => {
    await countNotice(deps, request)
    await removePasskey(deps, signedIn(asker).userId, params.id)
    return { message: 'The passkey was removed.' }
  })
}
