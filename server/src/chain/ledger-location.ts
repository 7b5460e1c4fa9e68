import type { Site } from '@befaqt/domain/api/site-api'

/** Where the ledger can be read by anybody. */
export type LedgerLocation = {
  /** `contract` is null until it is deployed. */
  locate(): Promise<Site['chain']>
}
