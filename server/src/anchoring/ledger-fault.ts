/** Something about the ledger that no waiting mends: anchoring stops until an operator decides. */
export class LedgerFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LedgerFault'
  }
}
