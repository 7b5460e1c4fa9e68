import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type IPublishPacket, type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { SHARES, type ShareLine } from './broker-shares.ts'
import { codeOf, isRejection, optionsOf, type Part, sharedTopic, speaksNo5 } from './outside-client.ts'
import type { IngestMessage } from './port.ts'
import { ALL_TRACKING, boxOfTopic, refusedTopic } from './port.ts'

/** Concurrent messages of all shares; most brokers send no more than 20 each before they wait for acknowledgements. */
const MAX_STORING = 1_000
/** Rejections that wait for the broker's acknowledgement: every known one takes as many at once. */
const MAX_PUBLISHING = 10
/** At shutdown, how long messages in flight are waited for. */
const SHUTDOWN_TIMEOUT_MS = 5_000
const SUBSCRIBE_AGAIN_MS = 1_000
/** From here on a reason code is a failure. Source: MQTT 5 §2.4. */
const FAILURES = 128
/** Source: MQTT 5 §3.8.2.1.2. */
const MAX_IDENTIFIER = 268_435_455

export type ExternalBrokerDeps = {
  log: Logger
  config: Pick<Config, 'PUBLIC_URL'>
  ingest: IngestMessage
  url: URL
}

/**
 * Takes the readings of one share from the broker at `url` until `ended`, reconnecting when the connection is lost. PUBACK
 * is sent when a reading is stored, or when its rejection is published, in the order of arrival; one that could not be
 * stored is not acknowledged, nor is any after it: the broker redelivers them after a reconnect. The session is persistent,
 * with a client id that the processes of one shop share, as they take turns. The broker decides who may publish.
 *
 * Brokers may forget shared subscriptions when they start again (Mosquitto does), and would lose what is published before
 * the first process is back. So whoever has the first share also has a session that subscribes to all readings. What comes
 * there since the shared subscription is known to exist comes by a share as well, and is acknowledged unread; the rest is
 * stored. Where nothing can be shared, that session is all there is, by MQTT 3.1.1, and the other shares are nothing.
 * Source of the order: MQTT 3.1.1 and 5, [MQTT-4.6.0-2].
 */
export async function holdShare(
  deps: ExternalBrokerDeps,
  share: number,
  line: ShareLine,
  ended: AbortSignal,
): Promise<void> {
  if (line.way() !== 'alone') {
    const subscription = openClient(deps, { share, version: 5 })
    const subscribed = subscribeShare(subscription.client, deps, share, line, ended)
    const all = share === 0 ? followAll(deps, subscription.client, subscribed, ended) : undefined
    const why = await Promise.race([aborted(ended), subscribed.unshared])
    await Promise.all([subscription.end(), all?.end()])
    line.disconnected(share)
    if (why === undefined) return
    line.found('alone', why)
  }
  if (share !== 0 || ended.aborted) return
  const alone = openClient(deps, { share: 'all', version: 4 })
  watch(alone.client, line, share, ended)
  alone.client.on('connect', () => {
    alone.client.subscribe(ALL_TRACKING, { qos: 1 }, (error) => {
      if (error) line.disconnected(share, `it rejects the subscription: ${error.message}`)
      else if (!ended.aborted) line.connected(share)
    })
  })
  await aborted(ended)
  await alone.end()
  line.disconnected(share)
}

type Open = { client: MqttClient; end: () => Promise<void> }

/**
 * A client that stores what it receives, and acknowledges it then.
 * @param isKnown is this message one that comes on another way too?
 */
function openClient(
  { ingest, url, config, log }: ExternalBrokerDeps,
  part: Part,
  isKnown: (packet: IPublishPacket) => boolean = () => false,
): Open {
  const client = connect(optionsOf(url, config.PUBLIC_URL, part))
  const publish = publisher(client, log)
  const storing = new Set<Promise<unknown>>()
  const most = part.version === 5 ? MAX_STORING / SHARES : MAX_STORING
  const acknowledging = new WeakMap<object, Promise<void>>() // the newest acknowledgement of each connection
  let isEnding = false
  client.handleMessage = (packet, next) => {
    // An error keeps the client from acknowledging by itself and lets it continue with the next message.
    const resume = (): void => next(new Error('acknowledged when it is stored'))
    if (isEnding) return resume()
    const { stream } = client
    const stored = isKnown(packet) ? Promise.resolve(undefined) : store(ingest, packet, stream)
    const before = acknowledging.get(stream) ?? Promise.resolve()
    const acknowledged = acknowledgeAfter(before, client, packet, stored, publish, (err) => {
      const details = { err, broker: url.host }
      if (packet.qos === 0) return log.error(details, 'storing a reading of QoS 0 failed: it is lost')
      log.error(details, 'storing a reading failed; the broker will redeliver it')
      stream.destroy()
    })
    acknowledging.set(stream, acknowledged)
    // Only storing delays the next message: the acknowledgement of a published rejection comes after it.
    const inFlight: Promise<unknown> = stored.catch(() => undefined).finally(() => storing.delete(inFlight))
    storing.add(inFlight)
    if (storing.size < most) resume()
    else inFlight.then(resume, resume)
  }
  return {
    client,
    async end() {
      isEnding = true
      await Promise.race([
        Promise.all(storing).then(() => acknowledging.get(client.stream)),
        shutdownTimeout(),
      ])
      await Promise.race([new Promise((closed) => client.end(false, {}, closed)), shutdownTimeout()])
      client.stream.destroy()
    },
  }
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
  publish: (publication: Publication, qos: 0 | 1) => Promise<void>,
  failed: (error: unknown) => void,
): Promise<void> {
  const { stream } = client
  const published = stored.then(async (refusal) => {
    if (refusal !== undefined) await publish(refusal, qos === 0 ? 0 : 1)
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

/**
 * Publishes rejections, so many at once. One that the broker refuses, as for want of a right, can't be told to anybody: it
 * counts as published, as by MQTT 3.1.1, which has no such answer.
 */
function publisher(client: MqttClient, log: Logger) {
  const waiting: (() => void)[] = []
  let free = MAX_PUBLISHING
  return async ({ topic, note }: Publication, qos: 0 | 1): Promise<void> => {
    if (qos === 0) return void (await client.publishAsync(topic, note, { qos }))
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await client.publishAsync(topic, note, { qos })
    } catch (error) {
      if (codeOf(error) < FAILURES) throw error
      log.warn({ topic, err: error }, 'the MQTT broker does not let the shop publish rejections')
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Tells the line when the connection is lost, without the credentials in the broker's URL. */
function watch(client: MqttClient, line: ShareLine, share: number, ended: AbortSignal): void {
  const disconnected = (reason: string): void => {
    if (!ended.aborted) line.disconnected(share, reason)
  }
  client.on('error', ({ message }) => disconnected(message))
  client.on('close', () => disconnected('the connection is closed'))
}

type Subscribed = {
  /** Resolves when it is clear that the broker has no shared subscriptions, or none for this shop, with the reason. */
  unshared: Promise<string>
  /** Resolves when the subscription is there for the first time. */
  shared: Promise<void>
}

/** Subscribes to a share at each connection, and tells the line. */
function subscribeShare(
  client: MqttClient,
  { config }: ExternalBrokerDeps,
  share: number,
  line: ShareLine,
  ended: AbortSignal,
): Subscribed {
  const [unshared, shared] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const over = new AbortController()
  const end = (why: string): void => {
    over.abort()
    unshared.resolve(why)
  }
  const left = AbortSignal.any([ended, over.signal])
  client.on('error', (error) => {
    if (speaksNo5(error)) end('it does not speak MQTT 5')
  })
  watch(client, line, share, left)
  client.on('connect', ({ properties }) => {
    if (properties?.sharedSubscriptionAvailable === false) return end('it says that it has none')
    client.subscribe(sharedTopic(config.PUBLIC_URL), { qos: 1 }, (error) => {
      const reason = `it rejects the subscription: ${error?.message}`
      if (error !== null && isRejection(error)) return end(reason)
      if (left.aborted) return
      if (error !== null) return line.disconnected(share, reason)
      line.found('shared')
      line.connected(share)
      shared.resolve()
    })
  })
  return { unshared: unshared.promise, shared: shared.promise }
}

/**
 * The session of all readings, beside a share. After each connection the share subscribes anew, while this connection lasts,
 * so that the same run of the broker has both; then this session does, under an identifier of its own, by which messages
 * are known that were published later. Source: MQTT 5 §3.8.2.1.2, §4.8.2.
 */
function followAll(
  deps: ExternalBrokerDeps,
  share: MqttClient,
  { shared }: Subscribed,
  ended: AbortSignal,
): { end: () => Promise<void> } {
  const topic = sharedTopic(deps.config.PUBLIC_URL)
  let known: number | undefined
  const isKnown = ({ retain, properties }: IPublishPacket): boolean =>
    known !== undefined && !retain && [properties?.subscriptionIdentifier].flat().includes(known)
  const subscribe = async (client: MqttClient): Promise<void> => {
    const { stream } = client
    while (client.stream === stream && client.connected && !ended.aborted) {
      try {
        await share.subscribeAsync(topic, { qos: 1 })
        if (client.stream !== stream) return
        known = randomInt(1, MAX_IDENTIFIER) // none has it before the broker has this
        const properties = { subscriptionIdentifier: known }
        return void (await client.subscribeAsync(ALL_TRACKING, { qos: 1, properties }))
      } catch (err) {
        if (ended.aborted) return
        deps.log.warn({ err, broker: deps.url.host }, 'subscribing to all readings failed; trying again')
        await sleep(SUBSCRIBE_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined)
      }
    }
  }
  let all: Open | undefined
  let isOver = false
  void shared.then(() => {
    if (isOver || ended.aborted) return
    all = openClient(deps, { share: 'all', version: 5 }, isKnown)
    const { client } = all
    client.on('error', () => undefined) // the share meets the same, and says so
    client.on('close', () => {
      known = undefined
    })
    client.on('connect', () => void subscribe(client))
  })
  return {
    async end() {
      isOver = true
      await all?.end()
    },
  }
}

/** Source: MQTT 3.1.1 §3.4. */
const pubAck = (messageId: number): Buffer => Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])

const shutdownTimeout = (): Promise<void> => sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
