import { SessionView } from '@befaqt/domain/api/account-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { Message } from '#server/http/answers.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { signedIn } from '#server/identity/principal.ts'
import { endSession, endSessions, listSessions } from './sessions.ts'

const own = { access: 'user', limits: 'account' } as const

export const sessionCalls = defineRoutes({
  listSessions: {
    ...own,
    method: 'GET',
    url: '/api/user/sessions',
    summary: 'Own sessions.',
    answers: { 200: z.array(SessionView) },
  },
  endOtherSessions: {
    ...own,
    method: 'DELETE',
    url: '/api/user/sessions',
    summary: 'End all other sessions.',
    answers: { 200: Message },
  },
  endSession: {
    ...own,
    method: 'DELETE',
    url: '/api/user/sessions/:id',
    summary: 'End one session.',
    answers: { 200: Message },
  },
})

/** Where one is signed in. */
export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, sessionCalls.listSessions, ({ asker }) => {
    const { userId, sessionId } = signedIn(asker)
    return listSessions(deps.db, userId, sessionId, deps.now())
  })
  serve(app, sessionCalls.endOtherSessions, async ({ asker }) => {
    const { userId, sessionId } = signedIn(asker)
    await endSessions(deps.db, userId, sessionId)
    return { message: 'Logged out everywhere else.' }
  })
  serve(app, sessionCalls.endSession, async ({ asker, params }) => {
    await endSession(deps.db, signedIn(asker).userId, params.id)
    return { message: 'The session has ended.' }
  })
}
