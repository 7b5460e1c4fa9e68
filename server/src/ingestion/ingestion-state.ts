import { BoxStateCache } from './box-state-cache.ts'

/** How devices reach this process over MQTT, for `/metrics`. */
export type BrokerState = {
  kind: 'off' | 'embedded' | 'outside'
  /** This process listens, or is the one that is connected to the outside broker. */
  up: boolean
  /** Devices connected to the embedded broker. */
  devices: number
}

/** Per-process ingestion state: nothing that must be shared or outlive the process. */
export type IngestionState = {
  readonly memory: BoxStateCache
  /** What became of readings since the start. */
  readonly counts: { accepted: number; duplicate: number; refused: number }
  broker: BrokerState
}

export const newIngestionState = (): IngestionState => ({
  memory: new BoxStateCache(),
  counts: { accepted: 0, duplicate: 0, refused: 0 },
  broker: { kind: 'off', up: false, devices: 0 },
})
