import type { LedgerHealth } from '@befaqt/domain/api/manage-api'
import { chainHealth, type HealthDeps } from './chain-health.ts'

/** How anchoring is doing, with times as answers have them. */
export async function ledgerHealth(deps: HealthDeps): Promise<LedgerHealth> {
  const { lastAnchorAt, ...health } = await chainHealth(deps)
  return { ...health, lastAnchorAt: lastAnchorAt?.toISOString() ?? null }
}
