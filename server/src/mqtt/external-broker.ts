import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import type { IngestionState } from '#server/ingestion/index.ts'
import type { IngestMessage } from './port.ts'
import { ALL_TRACKING, boxOfTopic, refusedTopic } from './port.ts'

/** Concurrent messages; most brokers send no more than 20 before they wait for acknowledgements. */
const MAX_STORING = 1_000
const RECONNECT_AFTER_MS = 2_000
const CONNECT_TIMEOUT_MS = 10_000
/** At shutdown, how long messages in flight are waited for. */
const SHUTDOWN_TIMEOUT_MS = 5_000
const PORTS = { 'mqtt:': 1883, 'mqtts:': 8883 }

export type ExternalBrokerDeps = {
  log: Logger
  ingestion: IngestionState
  config: Pick<Config, 'PUBLIC_URL'>
}

/**
 * Ingests readings from the broker at `url` until `ended`, reconnecting when the connection is lost. PUBACK is sent
 * when a reading is stored, or when its rejection is published, in the order of arrival; one that could not be stored
 * is not acknowledged, nor is any after it: the broker redelivers them after a reconnect. The session is persistent,
 * with a client id that all processes of one shop share. The broker decides who may publish.
 * Source of the order: MQTT 3.1.1 [MQTT-4.6.0-2].
 */
export async function connectExternalBroker(
  { log, ingestion, config }: ExternalBrokerDeps,
  ingest: IngestMessage,
  url: URL,
  ended: AbortSignal,
): Promise<void> {
  const client = connect(optionsOf(url, config.PUBLIC_URL))
  const storing = new Set<Promise<unknown>>()
  const acknowledging = new WeakMap<object, Promise<void>>() // the newest acknowledgement of each connection
  client.handleMessage = (packet, next) => {
    // An error keeps the client from acknowledging by itself and lets it continue with the next message.
    const resume = (): void => next(new Error('acknowledged when it is stored'))
    if (ended.aborted) return resume()
    const { stream } = client
    const stored = store(ingest, packet, stream)
    const before = acknowledging.get(stream) ?? Promise.resolve()
    const acknowledged = acknowledgeAfter(before, client, packet, stored, (err) => {
      const details = { err, broker: url.host }
      if (packet.qos === 0) return log.error(details, 'storing a reading of QoS 0 failed: it is lost')
      log.error(details, 'storing a reading failed; the broker will redeliver it')
      stream.destroy()
    })
    acknowledging.set(stream, acknowledged)
    // Only storing delays the next message: the acknowledgement of a published rejection comes after it.
    const inFlight: Promise<unknown> = stored.catch(() => undefined).finally(() => storing.delete(inFlight))
    storing.add(inFlight)
    if (storing.size < MAX_STORING) resume()
    else inFlight.then(resume, resume)
  }
  watch(client, { log, ingestion }, url.host, ended)
  await aborted(ended)
  await Promise.race([Promise.all(storing).then(() => acknowledging.get(client.stream)), shutdownTimeout()])
  await Promise.race([new Promise((closed) => client.end(false, {}, closed)), shutdownTimeout()])
  client.stream.destroy()
  ingestion.broker.up = false
}

/** Stores a message and returns the rejection to publish, if any. Topics other than those of boxes are ignored. */
async function store(
  ingest: IngestMessage,
  { topic, payload }: IPublishPacket,
  connection: object,
): Promise<Publication | undefined> {
  const box = boxOfTopic(topic, 'tracking')
  const note = box === undefined ? null : await ingest({ box, payload: Buffer.from(payload), connection })
  return box === undefined || note === null ? undefined : { topic: refusedTopic(box), note }
}

type Publication = { topic: string; note: string }

/**
 * Acknowledges a message on its own connection once it is stored, the broker has acknowledged its rejection, and the
 * message before it is acknowledged. Never rejects: after a failure nothing more on that connection is acknowledged.
 */
function acknowledgeAfter(
  before: Promise<void>,
  client: MqttClient,
  { messageId, qos }: IPublishPacket,
  stored: Promise<Publication | undefined>,
  failed: (error: unknown) => void,
): Promise<void> {
  const { stream } = client
  const published = stored.then(async (refusal) => {
    if (refusal !== undefined)
      await client.publishAsync(refusal.topic, refusal.note, { qos: qos === 0 ? 0 : 1 })
  })
  return Promise.all([before, published]).then(
    () => {
      if (client.stream === stream && !stream.destroyed && messageId !== undefined)
        stream.write(pubAck(messageId))
    },
    (error) => {
      if (!stream.destroyed) failed(error)
    },
  )
}

/** Logs once when the broker is connected and once when it is lost, without the credentials in its URL. */
function watch(
  client: MqttClient,
  { log, ingestion }: { log: Logger; ingestion: IngestionState },
  broker: string,
  ended: AbortSignal,
): void {
  ingestion.broker = { kind: 'outside', up: false, devices: 0 }
  let reported: 'there' | 'gone' | undefined
  const disconnected = (reason?: string): void => {
    ingestion.broker.up = false
    if (reported !== 'gone' && !ended.aborted)
      log.warn({ broker, reason }, 'MQTT broker disconnected; reconnecting')
    reported = 'gone'
  }
  client.on('error', ({ message }) => disconnected(message))
  client.on('close', () => disconnected())
  client.on('connect', () => {
    client.subscribe(ALL_TRACKING, { qos: 1 }, (error) => {
      if (error) return disconnected(`it rejects the subscription: ${error.message}`)
      ingestion.broker.up = true
      reported = 'there'
      log.info({ broker }, 'subscribed to readings at the MQTT broker')
    })
  })
}

/** Connects to the broker with a session of its own, which ends with it. @throws why the broker lets nobody in */
export async function tryBroker(url: URL, limitMs: number): Promise<void> {
  const asked = { clean: true, reconnectPeriod: 0, reconnectOnConnackError: false, connectTimeout: limitMs }
  const client = connect({ ...optionsOf(url, randomUUID()), ...asked })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.on('connect', () => resolve())
  client.on('error', reject)
  client.on('close', () => reject(new Error('It closes the connection, or does not answer.')))
  await promise.finally(() => client.end(true))
}

function optionsOf(url: URL, shop: string): IClientOptions {
  const protocol = url.protocol === 'mqtts:' ? 'mqtts:' : 'mqtt:'
  return {
    protocol: protocol === 'mqtts:' ? 'mqtts' : 'mqtt',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || PORTS[protocol]),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    clientId: `befaqt-${createHash('sha256').update(shop).digest('hex').slice(0, 16)}`, // 23 characters: MQTT 3.1
    clean: false,
    resubscribe: false,
    reconnectPeriod: RECONNECT_AFTER_MS,
    reconnectOnConnackError: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    timerVariant: 'native',
  }
}

/** Source: MQTT 3.1.1 §3.4. */
const pubAck = (messageId: number): Buffer => Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])

const shutdownTimeout = (): Promise<void> => sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
