import { NewApiKey } from '@befaqt/domain/api-key'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { listApiKeys } from './api-keys.ts'
import { endKey, makeKey } from './manage-keys.ts'

/** Keys of machines, for administrators. Source: running.md 'Keys'. */
export function keyRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/key', () => listApiKeys(deps.db))
  app.post('/api/key', async (request, reply) => {
    const input = parse(NewApiKey, request.body)
    return reply.code(201).send(await makeKey(deps, request.asker, input))
  })
  app.delete<{ Params: { id: string } }>('/api/key/:id', async (request) => {
    await endKey(deps, request.asker, request.params.id)
    return { message: 'The key was revoked.' }
  })
}
