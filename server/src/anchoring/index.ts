// What other features use of anchoring, and all that they may import of it.

export {
  type AnchorRow,
  anchorColumns,
  anchorFactsSchema,
  BoxState,
  factsOf,
  newestAnchor,
} from './anchors.ts'
export { nodesIn } from './box-map.ts'
export { syncEmbeddedChain } from './chain-transactions.ts'
export { ledgerLocation, openLedger } from './ledger.ts'
export { chainHealth, type HealthDeps, pendingRecords } from './ledger-health.ts'
export { BUILDS_CHECKPOINT_FILE, CHECKPOINT_FILE } from './log/checkpoint-file.ts'
export {
  type CosignedCheckpoint,
  checkpointsForProofs,
  inclusionOf,
  type LoggedAnchor,
  loggedAnchors,
} from './log/log-proofs.ts'
export { logDifferences } from './log/log-rows.ts'
export {
  brokenLine,
  type LogReceipt,
  MONOSPACE,
  newestReceipt,
  receiptCode,
  receiptWords,
} from './log/receipts.ts'
export { findGap } from './recover-ledger.ts'
export { stampFault, stampState } from './stamps/stamp-rows.ts'
