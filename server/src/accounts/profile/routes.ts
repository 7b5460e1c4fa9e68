import { ProfileInput } from '@befaqt/domain/account'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { signedIn } from '#server/identity/principal.ts'
import { readProfile, updateProfile } from './profile.ts'

/** One's own account. Whose it is comes from the session, never from the request. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/user', (request) => readProfile(deps.db, signedIn(request.asker).userId))
  app.patch('/api/user', (request) =>
    updateProfile(deps, signedIn(request.asker).userId, parse(ProfileInput, request.body)),
  )
}
