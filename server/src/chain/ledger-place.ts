import type { Site } from '@befaqt/domain/api/site-api'

/** Where anybody can read the ledger. */
export type LedgerPlace = {
  /** `contract` is null until it is deployed. */
  where(): Promise<Site['chain']>
}
