import * as endpoints from '@befaqt/domain/api/endpoints/ledger'
import { LedgerHealth } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { type HealthDeps, ledgerHealth } from './chain-health.ts'

export const ledgerOperations = defineRoutes(endpoints, {
  readLedgerHealth: {
    summary: 'State of anchoring.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: LedgerHealth },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const ledgerReads = {
  readLedgerHealth: ledgerHealth,
} satisfies Reads<typeof ledgerOperations, HealthDeps>

/** The state of the ledger, for managers. Public access to it is in `chain/rpc-proxy.ts`. */
export function ledgerRoutes(app: FastifyInstance, deps: HealthDeps): void {
  registerReads(app, ledgerOperations, ledgerReads, deps)
}
