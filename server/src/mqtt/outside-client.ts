import { createHash, randomUUID } from 'node:crypto'
import { connect, type IClientOptions } from 'mqtt'

const RECONNECT_AFTER_MS = 2_000
const CONNECT_TIMEOUT_MS = 10_000
const PORTS = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** What answers that the broker does not speak MQTT 5: in its words, and in those of 3.1.1. Source: MQTT 5 §3.2.2.2. */
const UNSUPPORTED_PROTOCOL = [132, 1]
/** Sessions never end by themselves. Source: MQTT 5 §3.1.2.11.2. */
const NEVER = 0xffff_ffff
/**
 * Messages that a broker may send to a session before the first is acknowledged, so that it keeps the rest: about a hundred
 * of its own share. Source: MQTT 5 §3.1.2.11.3.
 */
const RECEIVE_MAXIMUM = 600

/** Which client of a shop it is. */
export type Part = { share: number; version: 4 | 5 }

/** The reason code of a broker's answer; 0: the error is none. */
export const codeOf = (error: unknown): number =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0

/** Did the broker refuse to speak MQTT 5? */
export const speaksNo5 = (error: unknown): boolean => UNSUPPORTED_PROTOCOL.includes(codeOf(error))

const hashOf = (shop: string): string => createHash('sha256').update(shop).digest('hex')

/**
 * At most 23 characters, which every broker takes, of the shop's own: two shops at one broker, or one after its address
 * changed, would else take each other's sessions. The first share's is the id of the versions that had one session.
 */
const clientIdOf = (shop: string, share: number): string =>
  share === 0 ? `befaqt-${hashOf(shop).slice(0, 16)}` : `befaqt-${hashOf(shop).slice(0, 13)}-s${share}`

/** How a client of the shop at `shop` connects to the broker at `url`, with a session that lasts. */
export function optionsOf(url: URL, shop: string, { share, version }: Part): IClientOptions {
  const protocol = url.protocol === 'mqtts:' ? 'mqtts:' : 'mqtt:'
  return {
    protocol: protocol === 'mqtts:' ? 'mqtts' : 'mqtt',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || PORTS[protocol]),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    clientId: clientIdOf(shop, share),
    protocolVersion: version,
    ...(version === 5 && { properties: { sessionExpiryInterval: NEVER, receiveMaximum: RECEIVE_MAXIMUM } }),
    clean: false,
    resubscribe: false,
    reconnectPeriod: RECONNECT_AFTER_MS,
    reconnectOnConnackError: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    timerVariant: 'native',
  }
}

/** Can readings be divided among sessions by a broker that says this when one connects? Source: MQTT 5 §3.2.2.3.12. */
export const dividesBy = (properties: { subscriptionIdentifiersAvailable?: boolean } | undefined): boolean =>
  properties?.subscriptionIdentifiersAvailable !== false

/**
 * Connects to the broker with a session of its own, which ends with it. @returns how its readings can be taken.
 * @throws why the broker lets nobody in
 */
export async function tryBroker(url: URL, limitMs: number): Promise<'shared' | 'alone'> {
  try {
    return await tryVersion(url, 5, limitMs)
  } catch (error) {
    if (speaksNo5(error)) return tryVersion(url, 4, limitMs)
    throw error
  }
}

async function tryVersion(url: URL, version: 4 | 5, limitMs: number): Promise<'shared' | 'alone'> {
  const asked = { clean: true, reconnectPeriod: 0, reconnectOnConnackError: false, connectTimeout: limitMs }
  const { properties: _lasting, ...options } = optionsOf(url, randomUUID(), { share: 0, version })
  const client = connect({ ...options, ...asked })
  client.handleMessage = (_packet, next) => next()
  const { promise, resolve, reject } = Promise.withResolvers<'shared' | 'alone'>()
  client.on('connect', ({ properties }) => {
    resolve(version === 5 && dividesBy(properties) ? 'shared' : 'alone')
  })
  client.on('error', reject)
  client.on('close', () => reject(new Error('It closes the connection, or does not answer.')))
  return await promise.finally(() => client.end(true))
}
