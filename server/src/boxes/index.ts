// What other features use of boxes, and all that they may import of it.

export { archivesToLookAt, isWhole, lostArchives } from './archive/look-at-files.ts'
export { type HistoryDeps, withArchive } from './archive/read-archive.ts'
export {
  assertOnSale,
  boxIDOf,
  boxNotFound,
  boxRecalled,
  boxSealed,
  holdsFish,
  lockBox,
} from './box-access.ts'
export { type BoxPageDeps, type BoxVersionDeps, boxVersion } from './box-page.ts'
export { type LabelContent, type LabelDeps, numberLabel } from './labels/label-content.ts'
export { PRINTED, sendLabels } from './labels/labels.ts'
export { boxesFound } from './list-boxes.ts'
export { countAlerted } from './managing/box-alerts.ts'
export {
  addToState,
  type BoxHead,
  type BoxState,
  loadState,
  readRecordsAfter,
} from './projection/box-state.ts'
export type { BoxSummary, Market } from './projection/box-summary.ts'
export {
  FORMULAS,
  projectionOf,
  renewProjection,
  saveProjection,
  storedProjection,
} from './projection/projection.ts'
export { proofBundle } from './proof-bundle.ts'
export {
  type Archived,
  type BoxRow,
  type RecordRow,
  readableRecord,
  refuseDropped,
  rowVersion,
} from './read-records.ts'
export {
  addRecords,
  appendRecords,
  type Chain,
  chainRecords,
  freshnessDraft,
  type RecordDraft,
  type RecordingDeps,
} from './records/add-records.ts'
export { addWeightIn } from './records/box-weights.ts'
export { gramsLeft, gramsLeftAfter } from './records/grams-left.ts'
export {
  addHandoverIn,
  type Custody,
  custodyOf,
  heldAt,
  holderIn,
  isHolder,
  lastOf,
} from './records/hand-over.ts'
export { addCatchIn, registerBoxIn } from './records/manual-records.ts'
