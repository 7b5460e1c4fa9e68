import type { LedgerHealth } from '@befaqt/domain/api/manage-api'
import type { Deps } from '#server/deps.ts'
import { chainHealth } from './chain-health.ts'

/** How anchoring is doing, with times as answers have them. */
export async function ledgerHealth(deps: Deps): Promise<LedgerHealth> {
  const { lastAnchorAt, ...health } = await chainHealth(deps)
  return { ...health, lastAnchorAt: lastAnchorAt?.toISOString() ?? null }
}
