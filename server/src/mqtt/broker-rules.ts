import { setTimeout as sleep } from 'node:timers/promises'
import type { AedesOptions, AuthenticateError, Client, PublishPacket } from 'aedes'
import type { Logger } from 'pino'
import type { Db } from '#server/db/client.ts'
import { type Device, deviceOf } from './device.ts'
import type { IngestMessage } from './port.ts'
import { refusedTopic } from './port.ts'

/** Delay of the response to a wrong key, against guessing. */
const WRONG_KEY_AFTER_MS = 1_000

/** CONNACK return codes. Source: MQTT 3.1.1 §3.2.2.3. */
const SERVER_UNAVAILABLE = 3
const BAD_KEY = 4

export type RulesDeps = { db: Db; now: () => Date; log: Logger }

export type BrokerRules = {
  /** Authorization hooks of aedes. */
  hooks: Required<
    Pick<AedesOptions, 'preConnect' | 'authenticate' | 'authorizePublish' | 'authorizeSubscribe'>
  >
  /** The device of an authenticated connection. */
  deviceAt(client: Client): Device | undefined
  /** Resolves when no message is being stored. */
  idle(): Promise<void>
}

/**
 * What devices may do at the embedded broker: authenticate with a key, publish readings of its boxes, subscribe to
 * their rejections. A message is stored inside `authorizePublish`, since aedes acknowledges right after it. Sessions,
 * retained messages and wills are not supported: a restart would lose them.
 * @param publish publishes on a topic; resolves when the message is handed to the broker
 * @param stopping once aborted, no message is accepted
 */
export function brokerRules(
  deps: RulesDeps,
  ingest: IngestMessage,
  publish: (topic: string, text: string) => Promise<void>,
  stopping: AbortSignal,
): BrokerRules {
  const devices = new WeakMap<Client, Device>()
  const newest = new WeakMap<Client, Promise<string>>()
  const running = new Set<Promise<void>>()

  const authenticate = async (client: Client, user: string | undefined, key: string): Promise<void> => {
    const device = await deviceOf(deps, user, key).catch((cause: unknown) => {
      deps.log.error({ err: cause }, 'API key lookup of a device failed')
      throw connectError(SERVER_UNAVAILABLE, 'API key lookup failed')
    })
    if (device === undefined) {
      await sleep(WRONG_KEY_AFTER_MS, undefined, { ref: false })
      throw connectError(BAD_KEY, 'invalid API key, or one without the right to write records')
    }
    client.id = `${device.keyId} ${client.id}` // the same client id under another key must not take over this session
    devices.set(client, device)
  }

  /** Lets a message in after the one before it on its connection, so that none overtakes another. Answers its box. */
  const admit = async (
    device: Device,
    topic: string,
    before: Promise<string> | undefined,
  ): Promise<string> => {
    await before
    const wait = device.wait()
    if (wait > 0) await sleep(wait, undefined, { signal: stopping })
    const box = await device.mayPublish(topic)
    if (box === undefined) throw new Error(`not authorized to publish on ${topic.slice(0, 100)}`)
    return box
  }

  const receive = async (client: Client | null, packet: PublishPacket): Promise<void> => {
    const device = client === null ? undefined : devices.get(client)
    if (client === null || device === undefined || stopping.aborted) throw new Error('the broker is stopping')
    const admitted = admit(device, packet.topic, newest.get(client))
    newest.set(client, admitted)
    const box = await admitted
    packet.retain = false
    const note = await ingest({ box, payload: Buffer.from(packet.payload), sent: 'key', connection: client })
    if (note !== null) await publish(refusedTopic(box), note)
  }

  return {
    hooks: {
      preConnect(_client, packet, done) {
        packet.clean = true
        delete packet.will
        done(null, true)
      },
      authenticate(client, user, password, done) {
        authenticate(client, user, password?.toString() ?? '').then(
          () => done(null, true),
          (error: AuthenticateError) => done(error, false),
        )
      },
      authorizePublish(client, packet, done) {
        const received = receive(client, packet)
        running.add(received)
        const end = (error: Error | null): void => {
          running.delete(received)
          done(error)
        }
        received.then(() => end(null), end)
      },
      authorizeSubscribe(client, subscription, done) {
        const may = devices.get(client)?.maySubscribe(subscription.topic) ?? Promise.resolve(false)
        may.then(
          (allowed) => done(null, allowed ? subscription : null),
          (error: Error) => done(error),
        )
      },
    },
    deviceAt: (client) => devices.get(client),
    idle: async () => void (await Promise.allSettled(running)),
  }
}

const connectError = (returnCode: number, message: string): AuthenticateError =>
  Object.assign(new Error(message), { returnCode })
