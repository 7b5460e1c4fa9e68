import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { ledgerHealth } from './ledger-health.ts'

/** How the ledger is doing, for managers. What anybody may ask of it is in `chain/read-only-door.ts`. */
export function ledgerRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/chain/health', () => ledgerHealth(deps))
}
