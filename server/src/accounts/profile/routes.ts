import { ProfileInput } from '@befaqt/domain/account'
import { ProfileView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/profile'
import type { FastifyInstance } from 'fastify'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { readProfile, updateProfile } from './profile.ts'

const own = { access: 'user', limits: 'account', responses: { 200: ProfileView } } as const

export const profileOperations = defineRoutes(endpoints, {
  readProfile: { ...own, summary: 'Own profile.' },
  updateProfile: { ...own, summary: 'Change own names and phone.', body: ProfileInput },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const profileReads = {
  readProfile: ({ db }, { principal }) => readProfile(db, requireUser(principal).userId),
} satisfies Reads<typeof profileOperations, Pick<AccountDeps, 'db'>>

/** One's own account. Whose it is comes from the session, never from the request. */
export function profileRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, profileOperations, profileReads, deps)
  registerRoute(app, profileOperations.updateProfile, ({ principal, body }) =>
    updateProfile(deps, requireUser(principal).userId, body),
  )
}
