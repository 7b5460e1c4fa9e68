import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { takeBatch } from './take-batch.ts'

/** Bytes of a batch: 1,000 readings of 1,000 bytes; a usual one has 150. */
const BATCH_LIMIT = 1024 * 1024

/** Readings over HTTP. Source: running.md 'Records from the field'. */
export function ingestionRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/tracking', { bodyLimit: BATCH_LIMIT }, (request) =>
    takeBatch(deps, request.asker, request.body),
  )
}
