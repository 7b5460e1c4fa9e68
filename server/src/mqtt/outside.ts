import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import type { Deps } from '#server/deps.ts'
import type { Take } from './port.ts'
import { ALL_TRACKING, boxOfTopic, refusedTopic } from './topics.ts'

/** Messages in hand at once; most brokers send no more than 20 before they wait for acknowledgements. */
const MOST_IN_HAND = 1_000
const RECONNECT_AFTER_MS = 2_000
const CONNECT_WITHIN_MS = 10_000
/** At the end, what is in hand is waited for so long. */
const END_WITHIN_MS = 5_000
const PORTS = { 'mqtt:': 1883, 'mqtts:': 8883 }

export type OutsideDeps = Pick<Deps, 'log' | 'intake' | 'config'>

/**
 * Takes readings from the broker at `url` until `ended`, connecting again whenever it has gone away. PUBACK goes out
 * when a reading is stored; one that could not be stored is not acknowledged, and comes again with the next
 * connection. The broker keeps our session while we are away, under a name that all processes of one shop share.
 * Who may publish there is that broker's to say.
 */
export async function takeFromBroker(
  { log, intake, config }: OutsideDeps,
  take: Take,
  url: URL,
  ended: AbortSignal,
): Promise<void> {
  const client = connect(optionsOf(url, config.PUBLIC_URL))
  const inHand = new Set<Promise<void>>()
  client.handleMessage = (packet, next) => {
    // An error keeps the client from acknowledging by itself, and lets it go on to the next message.
    const goOn = (): void => next(new Error('acknowledged when it is stored'))
    if (ended.aborted) return goOn()
    const { stream } = client
    const taken = takeOne(take, client, packet).then(
      () => {
        if (client.stream === stream && packet.messageId !== undefined) stream.write(pubAck(packet.messageId))
      },
      (err: unknown) => {
        log.error({ err, broker: url.host }, 'a reading could not be stored; the broker will send it again')
        stream.destroy()
      },
    )
    const done = taken.finally(() => inHand.delete(done))
    inHand.add(done)
    if (inHand.size < MOST_IN_HAND) goOn()
    else done.then(goOn, goOn)
  }
  watch(client, { log, intake }, url.host, ended)
  await aborted(ended)
  await Promise.race([Promise.all(inHand), briefly()])
  await Promise.race([new Promise((closed) => client.end(false, {}, closed)), briefly()])
  client.stream.destroy()
  intake.broker.up = false
}

/** Other topics than those of boxes can't be answered; they are passed over. */
async function takeOne(take: Take, client: MqttClient, { topic, payload }: IPublishPacket): Promise<void> {
  const box = boxOfTopic(topic, 'tracking')
  if (box === undefined) return
  const note = await take({ box, payload: Buffer.from(payload) })
  if (note !== null) await client.publishAsync(refusedTopic(box), note, { qos: 1 })
}

/** Says once when the broker is there, and once when it is not, without what is secret in its address. */
function watch(
  client: MqttClient,
  { log, intake }: Pick<Deps, 'log' | 'intake'>,
  broker: string,
  ended: AbortSignal,
): void {
  intake.broker = { kind: 'outside', up: false, devices: 0 }
  let told: 'there' | 'gone' | undefined
  const gone = (reason?: string): void => {
    intake.broker.up = false
    if (told !== 'gone' && !ended.aborted)
      log.warn({ broker, reason }, 'the MQTT broker is not there; trying again')
    told = 'gone'
  }
  client.on('error', ({ message }) => gone(message))
  client.on('close', () => gone())
  client.on('connect', () => {
    client.subscribe(ALL_TRACKING, { qos: 1 }, (error) => {
      if (error) return gone(`it refuses the subscription: ${error.message}`)
      intake.broker.up = true
      told = 'there'
      log.info({ broker }, 'taking readings from the MQTT broker')
    })
  })
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
    connectTimeout: CONNECT_WITHIN_MS,
    timerVariant: 'native',
  }
}

/** Source: MQTT 3.1.1 §3.4. */
const pubAck = (messageId: number): Buffer => Buffer.from([0x40, 2, messageId >> 8, messageId & 0xff])

const briefly = (): Promise<void> => sleep(END_WITHIN_MS, undefined, { ref: false })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
