// What the package `@befaqt/verify` exports: the verifier, with the readers of the ledger. Built by tools/make-packages.ts.

export { type Asked, askedOf, type Grade, type Question, withWitnesses } from './asked.ts'
export {
  type AbsenceBundle,
  MAX_BUNDLE_LENGTH,
  type ProofBundle,
  parseAbsence,
  parseAbsenceText,
  parseBundle,
  parseBundleText,
} from './bundle.ts'
export { compareBundles } from './check-records.ts'
export { type AnchorFile, anchorFileText, fileLedger, parseAnchorFile } from './file-ledger.ts'
export * from './index.ts'
export { agreeingLedger } from './ledger.ts'
export { type Policy, parsePolicy } from './log/policy.ts'
export { type RpcLedgerOptions, rpcLedger } from './rpc-ledger.ts'
export { MAX_SUMMARY_BYTES, type Summary } from './summary.ts'
export type { LogResult } from './verdict.ts'
export { type VerifyOptions, verifyAbsence, verifyBundle } from './verify.ts'
export { type SummaryResult, type SummaryTerms, verifySummary } from './verify-summary.ts'
