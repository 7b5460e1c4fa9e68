import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type IPublishPacket, type MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { aborted, SHARES, type ShareLine, shareOf } from './broker-shares.ts'
import { codeOf, dividesBy, optionsOf, type Part, speaksNo5 } from './outside-client.ts'
import type { IngestMessage } from './port.ts'
import { ALL_TRACKING, boxOfTopic, refusedTopic } from './port.ts'

/** Concurrent messages of all shares; most brokers send no more than 20 each before they wait for acknowledgements. */
const MAX_STORING = 1_000
/** Rejections that wait for the broker's acknowledgement: every known one takes as many at once. */
const MAX_PUBLISHING = 10
/** At shutdown, how long messages in flight are waited for. */
const SHUTDOWN_TIMEOUT_MS = 5_000
/** How often the first share looks whether the others are subscribed. */
const LOOK_MS = 500
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
 * A topic filter can't divide boxes, so each session subscribes to all readings and acknowledges unread those of boxes of
 * other shares. The first one, which was there before the others, stores everything until all of them are subscribed. Where
 * nothing can be divided it is all there is, by MQTT 3.1.1, and the other shares are nothing.
 * Source of the order: MQTT 3.1.1 and 5, [MQTT-4.6.0-2].
 */
export async function holdShare(
  deps: ExternalBrokerDeps,
  share: number,
  line: ShareLine,
  ended: AbortSignal,
): Promise<void> {
  if (line.way() !== 'alone') {
    const known: Known = { since: undefined }
    const divided = openClient(deps, { share, version: 5 }, (packet) => isOthers(packet, share, known))
    const why = await Promise.race([
      aborted(ended),
      subscribeShare(divided.client, deps, { share, line, known }, ended),
    ])
    await divided.end()
    line.disconnected(share)
    if (why === undefined) return
    line.found('alone', why)
  }
  if (share !== 0 || ended.aborted) return
  const alone = openClient(deps, { share, version: 4 })
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

/** The identifier of the first share's subscription since all others have theirs, on this connection. */
type Known = { since: number | undefined }

/**
 * Does a message come to the session of another share, which stores it? The first share knows so of what has the identifier
 * of its subscription. Source: MQTT 5 §3.8.2.1.2.
 */
function isOthers({ topic, properties }: IPublishPacket, share: number, { since }: Known): boolean {
  const box = boxOfTopic(topic, 'tracking')
  if (box === undefined || shareOf(box) === share) return false
  return share !== 0 || (since !== undefined && [properties?.subscriptionIdentifier].flat().includes(since))
}

type Open = { client: MqttClient; end: () => Promise<void> }

/**
 * A client that stores what it receives, and acknowledges it then.
 * @param isOthersOwn is this message stored by another session?
 */
function openClient(
  { ingest, url, config, log }: ExternalBrokerDeps,
  part: Part,
  isOthersOwn: (packet: IPublishPacket) => boolean = () => false,
): Open {
  const client = connect(optionsOf(url, config.PUBLIC_URL, part))
  const publish = publisher(client, log)
  const storing = new Set<Promise<unknown>>()
  const handling = new Set<Promise<unknown>>()
  const most = part.version === 5 ? MAX_STORING / SHARES : MAX_STORING
  const acknowledgers = new WeakMap<object, Acknowledge>()
  let isEnding = false
  client.handleMessage = (packet, next) => {
    // An error keeps the client from acknowledging by itself and lets it continue with the next message.
    const resume = (): void => next(LATER)
    if (isEnding) return resume()
    const { stream } = client
    const acknowledge = acknowledgers.get(stream) ?? acknowledgeInOrder(stream)
    acknowledgers.set(stream, acknowledge)
    const done = acknowledge(packet.messageId)
    if (isOthersOwn(packet)) {
      done()
      return resume()
    }
    const failed = (err: unknown): void => {
      if (stream.destroyed) return
      const details = { err, broker: url.host }
      if (packet.qos === 0) {
        log.error(details, 'storing a reading of QoS 0 failed: it is lost')
        done()
      } else {
        log.error(details, 'storing a reading failed; the broker will redeliver it')
        stream.destroy()
      }
    }
    const stored = store(ingest, packet, stream)
    const handled: Promise<unknown> = stored
      .then((refusal) => refusal && publish(refusal, packet.qos === 0 ? 0 : 1))
      .then(done, failed)
      .finally(() => handling.delete(handled))
    handling.add(handled)
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
      await Promise.race([Promise.all(handling), shutdownTimeout()])
      await Promise.race([new Promise((closed) => client.end(false, {}, closed)), shutdownTimeout()])
      client.stream.destroy()
    },
  }
}

const LATER = new Error('acknowledged when it is stored')

/** Takes the id of the next message of a connection. Returns what to call when it may be acknowledged. */
type Acknowledge = (messageId: number | undefined) => () => void

/**
 * Acknowledges the messages of a connection in the order of arrival: each when it may be and all before it are. After one
 * that never may be, nothing more is.
 */
function acknowledgeInOrder(stream: MqttClient['stream']): Acknowledge {
  const waiting: { messageId: number | undefined; isDone: boolean }[] = []
  return (messageId) => {
    const message = { messageId, isDone: false }
    waiting.push(message)
    return () => {
      message.isDone = true
      const open = waiting.findIndex(({ isDone }) => !isDone)
      const done = waiting.splice(0, open < 0 ? waiting.length : open)
      const packets = done.flatMap(({ messageId: id }) => (id === undefined ? [] : [pubAck(id)]))
      if (packets.length > 0 && !stream.destroyed) stream.write(Buffer.concat(packets))
    }
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

type Holding = { share: number; line: ShareLine; known: Known }

/**
 * Subscribes the session of a share at each connection, and tells the line. Never rejects.
 * @returns why the broker can't divide readings, as soon as that is clear
 */
function subscribeShare(
  client: MqttClient,
  { log, url }: ExternalBrokerDeps,
  { share, line, known }: Holding,
  ended: AbortSignal,
): Promise<string> {
  const { promise: undivided, resolve } = Promise.withResolvers<string>()
  const over = new AbortController()
  const end = (why: string): void => {
    over.abort()
    resolve(why)
  }
  const left = AbortSignal.any([ended, over.signal])
  watch(client, line, share, left)
  client.on('error', (error) => {
    if (speaksNo5(error)) end('it does not speak MQTT 5')
  })
  client.on('close', () => {
    known.since = undefined
  })
  let isTold = false
  client.on('connect', ({ properties }) => {
    if (!dividesBy(properties)) return end('it says that it has no subscription identifiers')
    client.subscribe(ALL_TRACKING, { qos: 1 }, (error) => {
      if (left.aborted) return
      if (error) return line.disconnected(share, `it rejects the subscription: ${error.message}`)
      line.found('shared')
      line.connected(share)
      if (share === 0) return void nameSubscription(client, { log, url }, { line, known }, left)
      if (!isTold) line.subscribed(share, left)
      isTold = true
    })
  })
  return undivided
}

/**
 * Gives the first share's subscription an identifier once all others have theirs, while its connection lasts: what has it was
 * published later.
 */
async function nameSubscription(
  client: MqttClient,
  { log, url }: Pick<ExternalBrokerDeps, 'log' | 'url'>,
  { line, known }: Pick<Holding, 'line' | 'known'>,
  left: AbortSignal,
): Promise<void> {
  const { stream } = client
  const again = (): Promise<unknown> => sleep(LOOK_MS, undefined, { signal: left }).catch(() => undefined)
  while (client.stream === stream && client.connected && !left.aborted) {
    try {
      if (await line.othersSubscribed()) {
        if (client.stream !== stream) return
        const subscriptionIdentifier = randomInt(1, MAX_IDENTIFIER) // none has it before the broker has this
        known.since = subscriptionIdentifier
        await client.subscribeAsync(ALL_TRACKING, { qos: 1, rh: 2, properties: { subscriptionIdentifier } })
        return
      }
    } catch (err) {
      if (left.aborted) return
      log.warn({ err, broker: url.host }, 'naming the MQTT subscription failed; trying again')
    }
    await again()
  }
}

/** Source: MQTT 3.1.1 §3.4. */
const pubAck = (messageId: number): Buffer => Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])

const shutdownTimeout = (): Promise<void> => sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })
