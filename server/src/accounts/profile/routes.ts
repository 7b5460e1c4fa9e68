import { ProfileInput } from '@befaqt/domain/account'
import { ProfileView } from '@befaqt/domain/api/account-api'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { signedIn } from '#server/identity/principal.ts'
import { readProfile, updateProfile } from './profile.ts'

const own = { url: '/api/user', access: 'user', limits: 'account', answers: { 200: ProfileView } } as const

export const profileCalls = defineRoutes({
  readProfile: { ...own, method: 'GET', summary: 'Own profile.' },
  updateProfile: { ...own, method: 'PATCH', summary: 'Change own names and phone.', body: ProfileInput },
})

/** One's own account. Whose it is comes from the session, never from the request. */
export function profileRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, profileCalls.readProfile, ({ asker }) => readProfile(deps.db, signedIn(asker).userId))
  serve(app, profileCalls.updateProfile, ({ asker, body }) =>
    updateProfile(deps, signedIn(asker).userId, body),
  )
}
