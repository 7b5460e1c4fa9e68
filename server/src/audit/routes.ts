import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/history'
import { Change, changedEntities } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { readHistory } from './read-history.ts'

const HistoryQuery = z.object({
  entity: z.enum(changedEntities),
  id: z.string().max(128).optional().describe('of one thing'),
  page: z.coerce
    .number()
    .int('page must be a whole number')
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('from 1'),
})

export const historyOperations = defineRoutes(endpoints, {
  readHistory: {
    summary: 'Who changed what, newest first.',
    access: 'admin',
    limits: 'manage-read',
    query: HistoryQuery,
    responses: { 200: paged(Change) },
  },
})

/** The audit log, for managers. */
export function historyRoutes(app: FastifyInstance, deps: { db: Db }): void {
  registerRoute(app, historyOperations.readHistory, ({ query }) => readHistory(deps.db, query))
}
