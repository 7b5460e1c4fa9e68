import { LedgerHealth } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { ledgerHealth } from './ledger-health.ts'

export const ledgerCalls = defineRoutes({
  readLedgerHealth: {
    method: 'GET',
    url: '/api/chain/health',
    summary: 'How anchoring is doing.',
    access: 'admin',
    limits: 'manage-read',
    answers: { 200: LedgerHealth },
  },
})

/** How the ledger is doing, for managers. What anybody may ask of it is in `chain/read-only-door.ts`. */
export function ledgerRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, ledgerCalls.readLedgerHealth, () => ledgerHealth(deps))
}
