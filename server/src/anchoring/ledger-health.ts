import type { LedgerHealth } from '@befaqt/domain/api/manage-api'
import { chainHealth, type HealthDeps } from './chain-health.ts'

/** The state of anchoring, with times as in responses. */
export async function ledgerHealth(deps: HealthDeps): Promise<LedgerHealth> {
  const { lastAnchorAt, ...health } = await chainHealth(deps)
  return { ...health, lastAnchorAt: lastAnchorAt?.toISOString() ?? null }
}
