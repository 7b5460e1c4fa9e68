export { isWithheld, type LedgerAddress, type WithheldRecord } from './bundle-parts.ts'
export { canonicalBytes, canonicalize, type JsonObject, type JsonValue, parseJsonText } from './canonical.ts'
export { type Digest, fromHex, isHexDigest, sameDigest, toHex } from './digest.ts'
export { FormatError } from './format-error.ts'
export type { BoxState } from './leaf.ts'
export {
  type AnchorEvent,
  type LedgerAnchor,
  LedgerError,
  type LedgerIdentity,
  type LedgerReader,
} from './ledger.ts'
export {
  type BoxRecord,
  genesisHead,
  headAfter,
  parseRecord,
  parseRestrictedPart,
  type RecordKind,
  type RestrictedPart,
  recordHash,
  recordKinds,
  restrictedHash,
} from './record.ts'
export { blockTimeText } from './validate.ts'
export {
  type BoxResult,
  type BoxVerdict,
  type ProvingAnchor,
  type Reason,
  type ReasonCode,
  type RecordResult,
  type RecordVerdict,
  type VerifyStep,
  verifySteps,
} from './verdict.ts'
