import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { takeBatch } from './take-batch.ts'

/** Readings over HTTP. Source: running.md 'Records from the field'. */
export function ingestionRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/tracking', (request) => takeBatch(deps, request.asker, request.body))
}
