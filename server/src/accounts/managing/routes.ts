import * as endpoints from '@befaqt/domain/api/endpoints/users'
import { ManagedUser } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/db/client.ts'
import { hasFilters, ListQuery } from '#server/http/list-query.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { listOrPage } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { deleteUser } from './delete-user.ts'
import { allUsers, listUsers } from './list-users.ts'
import { updateUser } from './update-user.ts'
import { UserPatch } from './user-patch.ts'

const access = { right: 'user:write', allBoxes: true } as const

export const userOperations = defineRoutes(endpoints, {
  listUsers: {
    summary: 'All accounts, or a page of them.',
    access,
    limits: 'manage-read',
    query: ListQuery,
    responses: { 200: listOrPage(ManagedUser) },
  },
  updateUser: {
    summary:
      'Change names, role or status of an account; role and status ask to confirm. A key changes no role and no account of an ADMIN: 403.',
    access,
    limits: 'manage-write',
    body: UserPatch,
    responses: { 200: ManagedUser },
  },
  deleteUser: {
    confirmed: true,
    summary:
      'Delete a DISABLED account and what is kept of its person. A key deletes no account of an ADMIN: 403.',
    access,
    limits: 'manage-write',
    responses: { 204: null },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const userReads = {
  listUsers: ({ db }, { query }) => (hasFilters(query) ? listUsers(db, query) : allUsers(db)),
} satisfies Reads<typeof userOperations, { db: Db }>

/** Managing accounts. Source: spec §7. */
export function userRoutes(app: FastifyInstance, deps: { db: Db; now: () => Date }): void {
  registerReads(app, userOperations, userReads, deps)
  registerRoute(app, userOperations.updateUser, ({ principal, params, body, request }) => {
    const { version, ...patch } = body
    return updateUser(deps, principal, params.id, patch, expectedVersion(request, version))
  })
  registerRoute(app, userOperations.deleteUser, async ({ principal, params }) => {
    await deleteUser(deps, principal, params.id)
    return undefined
  })
}
