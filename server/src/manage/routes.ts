import { changedEntities } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ledgerHealth } from '#server/anchoring/ledger-health.ts'
import { readHistory } from '#server/audit/read-history.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { attention } from '#server/ops/attention.ts'

const HistoryQuery = z.object({
  entity: z.enum(changedEntities),
  id: z.string().max(128).optional(),
  page: z.coerce.number().int('page must be a whole number').min(1).max(1_000_000).default(1),
})

/** What managers read beside the lists of one kind. */
export function manageRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/history', (request) => readHistory(deps.db, parse(HistoryQuery, request.query)))
  app.get('/api/manage/attention', () => attention(deps))
  app.get('/api/chain/health', () => ledgerHealth(deps))
}
