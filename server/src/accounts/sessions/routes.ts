import { Confirmation } from '@befaqt/domain/account'
import { SessionView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/sessions'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { beginConfirmation, confirmIdentity } from './confirm-identity.ts'
import { clearSessionCookie } from './cookies.ts'
import { endSession, endSessions, listSessions } from './sessions.ts'

const own = { access: 'user', limits: 'account' } as const

export const sessionOperations = defineRoutes(endpoints, {
  listSessions: {
    ...own,
    summary: 'Own sessions.',
    responses: { 200: z.array(SessionView) },
  },
  endOtherSessions: {
    ...own,
    confirmed: true,
    summary: 'End all other sessions.',
    responses: { 200: Message },
  },
  endSession: {
    ...own,
    confirmed: true,
    summary: 'End one session.',
    responses: { 200: Message },
  },
  beginConfirmation: {
    ...own,
    limits: 'sign-in',
    summary: 'Begin confirming with a passkey: what WebAuthn’s get() takes.',
    responses: { 200: z.looseObject({ challenge: z.string() }) },
  },
  confirmIdentity: {
    ...own,
    limits: 'sign-in',
    summary:
      'Confirm with password or passkey that it is you: for ten minutes nothing answers auth.confirm. Keys are never asked.',
    body: Confirmation,
    responses: { 200: Message },
  },
  signOut: {
    summary: 'End this session.',
    access: 'public',
    limits: 'sign-in',
    responses: { 200: z.strictObject({ signedOut: z.boolean() }) },
    errors: [404],
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const sessionReads = {
  listSessions: ({ db, now }, { principal }) => {
    const { userId, sessionId } = requireUser(principal)
    return listSessions(db, userId, sessionId, now())
  },
} satisfies Reads<typeof sessionOperations, Pick<AccountDeps, 'db' | 'now'>>

/** The user's own sessions; the present one ends by signing out. */
export function sessionRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, sessionOperations, sessionReads, deps)
  registerRoute(app, sessionOperations.endOtherSessions, async ({ principal }) => {
    const { userId, sessionId } = requireUser(principal)
    await endSessions(deps.db, userId, sessionId)
    return { message: 'Logged out everywhere else.' }
  })
  registerRoute(app, sessionOperations.endSession, async ({ principal, params }) => {
    await endSession(deps.db, requireUser(principal).userId, params.id)
    return { message: 'The session has ended.' }
  })
  registerRoute(app, sessionOperations.beginConfirmation, async ({ principal }) => ({
    ...(await beginConfirmation(deps, requireUser(principal))),
  }))
  registerRoute(app, sessionOperations.confirmIdentity, async ({ principal, body }) => {
    await confirmIdentity(deps, requireUser(principal), body)
    return { message: 'Thank you.' }
  })
  registerRoute(app, sessionOperations.signOut, async ({ principal, reply }) => {
    if (principal.kind === 'user') await endSession(deps.db, principal.userId, principal.sessionId)
    clearSessionCookie(reply, deps.config)
    return { signedOut: true }
  })
}
