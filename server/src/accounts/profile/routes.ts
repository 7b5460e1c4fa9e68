import { ChangePassword, ProfileInput } from '@befaqt/domain/account'
import type { FastifyInstance } from 'fastify'
import { countNotice } from '#server/accounts/limits/count-notice.ts'
import { changePassword } from '#server/accounts/password/change-password.ts'
import { endSession, endSessions, listSessions } from '#server/accounts/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { readProfile, updateProfile } from './profile.ts'

/** One's own account: profile, password, sessions. Whose it is comes from the session, never from the request. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/user', (request) => readProfile(deps.db, signedIn(request.asker).userId))
  app.patch('/api/user', (request) =>
    updateProfile(deps, signedIn(request.asker).userId, parse(ProfileInput, request.body)),
  )
  app.post('/api/user/password', async (request) => {
    const input = parse(ChangePassword, request.body)
    await countNotice(deps, request)
    await changePassword(deps, signedIn(request.asker), input)
    return { message: 'The password was changed.' }
  })
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
