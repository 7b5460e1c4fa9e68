/** A message to be taken in. Answers what is to be said on the refused topic of its box, or null. Throws: not safe. */
export type IngestMessage = (message: { box: string; payload: Uint8Array }) => Promise<string | null>

/** How readings come over MQTT: a broker in this process, or one elsewhere. */
export type Broker = {
  /** Takes nothing new, ends what has begun and closes. */
  stop(): Promise<void>
}
