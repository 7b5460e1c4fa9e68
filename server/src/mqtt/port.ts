/** Ingests a message. Returns the rejection to publish, or null when it is stored. Rejects when nothing was stored. */
export type IngestMessage = (message: {
  box: string
  payload: Uint8Array
  sent?: 'key'
}) => Promise<string | null>

/** The source of readings over MQTT: a broker in this process, or an external one. */
export type Broker = {
  /** Accepts no more messages, waits for those in flight and closes. */
  stop(): Promise<void>
}
