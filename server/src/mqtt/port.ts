import type { Message } from '#server/ingestion/ingest-readings.ts'

/** A message, and the connection on which it came. */
export type BrokerMessage = Message & { connection: object }

/**
 * Ingests a message. Returns the rejection to publish, or null when it is stored. Rejects when it is not stored, nor any
 * message for its box that comes after it on the same connection.
 */
export type IngestMessage = (message: BrokerMessage) => Promise<string | null>

/** The source of readings over MQTT: a broker in this process, or an external one. */
export type Broker = {
  /** Accepts no more messages, waits for those in flight and closes. */
  stop(): Promise<void>
}
