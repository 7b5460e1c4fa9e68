/** Ingests a message. Returns the rejection to publish, or null when it is stored. Rejects when nothing was stored. */
export type IngestMessage = (message: { box: string; payload: Uint8Array }) => Promise<string | null>

/** How readings come over MQTT: a broker in this process, or one elsewhere. */
export type Broker = {
  /** Accepts no more messages, finishes those in flight and closes. */
  stop(): Promise<void>
}
