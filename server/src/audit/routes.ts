import { changedEntities } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { readHistory } from './read-history.ts'

const HistoryQuery = z.object({
  entity: z.enum(changedEntities),
  id: z.string().max(128).optional(),
  page: z.coerce.number().int('page must be a whole number').min(1).max(1_000_000).default(1),
})

/** Who changed what, for managers. */
export function historyRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/history', (request) => readHistory(deps.db, parse(HistoryQuery, request.query)))
}
