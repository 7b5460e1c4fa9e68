import { NewApiKey } from '@befaqt/domain/api-key'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { whoOf } from './asker.ts'

/** Keys of machines, for administrators. Source: running.md 'Keys'. */
export function keyRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/key', () => listApiKeys(deps.db))
  app.post('/api/key', async (request, reply) => {
    const made = await createApiKey(deps.db, parse(NewApiKey, request.body), whoOf(request.asker), deps.now())
    return reply.code(201).send(made)
  })
  app.delete<{ Params: { id: string } }>('/api/key/:id', async (request) => {
    await revokeApiKey(deps.db, request.params.id, deps.now())
    return { message: 'The key was revoked.' }
  })
}
