import { ManagedUser } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { wholeOrPage } from '#server/http/answers.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { wantedVersion } from '#server/http/version.ts'
import { deleteUser } from './delete-user.ts'
import { allUsers, listUsers } from './list-users.ts'
import { updateUser } from './update-user.ts'
import { UserPatch } from './user-patch.ts'

const access = { right: 'user:write' } as const

export const userCalls = defineRoutes({
  listUsers: {
    method: 'GET',
    url: '/api/user/all',
    summary: 'All accounts, or a page of them.',
    access,
    limits: 'manage-read',
    query: ManageQuery,
    answers: { 200: wholeOrPage(ManagedUser) },
  },
  updateUser: {
    method: 'PATCH',
    url: '/api/user/:id',
    summary:
      'Change names, role or status of an account. A key changes no role and no account of an ADMIN: 403.',
    access,
    limits: 'manage-write',
    body: UserPatch,
    answers: { 200: ManagedUser },
  },
  deleteUser: {
    method: 'DELETE',
    url: '/api/user/:id',
    summary:
      'Delete a DISABLED account and what is kept of its person. A key deletes no account of an ADMIN: 403.',
    access,
    limits: 'manage-write',
    answers: { 204: null },
  },
})

/** Managing accounts. Source: spec §7. */
export function userRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, userCalls.listUsers, ({ query }) =>
    isAsked(query) ? listUsers(deps.db, query) : allUsers(deps.db),
  )
  serve(app, userCalls.updateUser, ({ asker, params, body, request }) => {
    const { version, ...patch } = body
    return updateUser(deps, asker, params.id, patch, wantedVersion(request, version))
  })
  serve(app, userCalls.deleteUser, async ({ asker, params }) => {
    await deleteUser(deps, asker, params.id)
    return undefined
  })
}
