import { NewPasskey, Reauthentication } from '@befaqt/domain/account'
import { PasskeyView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/passkeys'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { limitNotices } from '#server/accounts/limits/limit-notices.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys.ts'

const own = { access: 'user', limits: 'account' } as const

export const passkeyOperations = defineRoutes(endpoints, {
  listPasskeys: {
    ...own,
    summary: 'Own passkeys.',
    responses: { 200: z.array(PasskeyView) },
  },
  beginPasskey: {
    ...own,
    summary: 'Begin adding a passkey: what WebAuthn’s create() takes.',
    body: Reauthentication,
    responses: { 200: z.looseObject({ challenge: z.string() }) },
  },
  addPasskey: {
    ...own,
    summary: 'Add a passkey.',
    body: NewPasskey,
    responses: { 201: Message },
  },
  removePasskey: {
    confirmed: true,
    ...own,
    summary: 'Remove a passkey.',
    responses: { 200: Message },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const passkeyReads = {
  listPasskeys: ({ db }, { principal }) => listPasskeys(db, requireUser(principal).userId),
} satisfies Reads<typeof passkeyOperations, Pick<AccountDeps, 'db'>>

/** The passkeys of one's own account; those who sign in with one come to `sign-in/routes.ts`. */
export function passkeyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, passkeyOperations, passkeyReads, deps)
  registerRoute(app, passkeyOperations.beginPasskey, async ({ principal, body }) => ({
    ...(await beginPasskey(deps, requireUser(principal).userId, body.password)),
  }))
  registerRoute(app, passkeyOperations.addPasskey, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await addPasskey(deps, requireUser(principal).userId, body)
    return { message: 'The passkey was added.' }
  })
  registerRoute(app, passkeyOperations.removePasskey, async ({ principal, params, request }) => {
    await limitNotices(deps, request)
    await removePasskey(deps, requireUser(principal).userId, params.id)
    return { message: 'The passkey was removed.' }
  })
}
