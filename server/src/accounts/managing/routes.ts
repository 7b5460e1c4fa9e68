import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { isAsked, ManageQuery } from '#server/http/manage-query.ts'
import { wantedVersion } from '#server/http/version.ts'
import { deleteUser } from './delete-user.ts'
import { allUsers, listUsers } from './list-users.ts'
import { updateUser } from './update-user.ts'
import { UserPatch } from './user-patch.ts'

type WithId = { Params: { id: string } }

/** Managing accounts. Source: spec §7. */
export function userRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/user/all', async (request) => {
    const query = parse(ManageQuery, request.query)
    return isAsked(query) ? listUsers(deps.db, query) : allUsers(deps.db)
  })
  app.patch<WithId>('/api/user/:id', async (request) => {
    const { version, ...patch } = parse(UserPatch, request.body)
    return updateUser(deps, request.asker, request.params.id, patch, wantedVersion(request, version))
  })
  app.delete<WithId>('/api/user/:id', async (request, reply) => {
    await deleteUser(deps, request.asker, request.params.id)
    return reply.code(204).send()
  })
}
