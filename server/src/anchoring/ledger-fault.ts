/** A fault of the ledger that retrying can't fix: anchoring stops until an operator decides. */
export class LedgerFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LedgerFault'
  }
}

/** The way out of a database that was restored from a backup older than the ledger. */
export const RECOVER = 'After a restored backup: npm run -s ledger:recover (docs/operations.md, Backup).'
