// What other features use of ingestion, and all that they may import of it.

export { type BrokerState, brokerOf, type IngestionState } from './box-state-cache.ts'
export { DeviceCounters } from './device-counters.ts'
export { keyText, recordedKeys, trackingDraft } from './grow-boxes.ts'
export {
  dedupeKeyOf,
  fieldErrors,
  type IncomingReading,
  type Outcome,
  type Rejection,
  refusedFor,
} from './incoming-reading.ts'
export { ingestMessages, ingestReadings, type Message } from './ingest-readings.ts'
export { BatchAnswer } from './routes.ts'
export type { SenderLimit } from './sender-limit.ts'
export { readClaim, verifyClaims } from './signed-readings.ts'
export type { StoringDeps } from './store-readings.ts'
