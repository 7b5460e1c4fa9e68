import { BoxID } from '@befaqt/domain/box-values'
import type { Message } from '#server/ingestion/index.ts'

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

const TOPIC = /^befaqt\/([^/]+)\/(tracking|refused)$/

/** Where devices publish readings, for all boxes. Source: running.md 'Records from the field'. */
export const ALL_TRACKING = 'befaqt/+/tracking'
/** Where rejections of all boxes are published. */
export const ALL_REFUSED = 'befaqt/+/refused'

/** Where the rejection of a reading of a box is published. */
export const refusedTopic = (boxID: string): string => `befaqt/${boxID}/refused`

/** The box of a topic of this kind; undefined for any other topic. */
export function boxOfTopic(topic: string, kind: 'tracking' | 'refused'): string | undefined {
  const [, boxID, found] = TOPIC.exec(topic) ?? []
  return found === kind ? BoxID.safeParse(boxID).data : undefined
}
