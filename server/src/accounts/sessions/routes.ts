import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { signedIn } from '#server/identity/principal.ts'
import { endSession, endSessions, listSessions } from './sessions.ts'

/** Where one is signed in. */
export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/user/sessions', (request) => {
    const { userId, sessionId } = signedIn(request.asker)
    return listSessions(deps.db, userId, sessionId, deps.now())
  })
  app.delete('/api/user/sessions', async (request) => {
    const { userId, sessionId } = signedIn(request.asker)
    await endSessions(deps.db, userId, sessionId)
    return { message: 'Logged out everywhere else.' }
  })
  app.delete<{ Params: { id: string } }>('/api/user/sessions/:id', async (request) => {
    await endSession(deps.db, signedIn(request.asker).userId, request.params.id)
    return { message: 'The session has ended.' }
  })
}
