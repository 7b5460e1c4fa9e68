import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import type { Deps } from '#server/deps.ts'
import type { Rejection } from '#server/ingestion/incoming-reading.ts'
import { embeddedBroker } from '#server/mqtt/embedded-broker.ts'
import { messageIngestion } from '#server/mqtt/start-mqtt.ts'
import { readingAt } from './readings.ts'

/** An embedded broker for one test, and devices that connect to it. Use with `await using`. */
export async function openTestBroker(deps: Deps) {
  const broker = await embeddedBroker(deps, messageIngestion(deps).add, { host: '127.0.0.1', port: 0 })
  const clients: MqttClient[] = []
  return {
    port: broker.port,
    stop: () => broker.stop(),
    /** Connects with a key. Rejects when the broker rejects it. */
    async device(key: string, more: IClientOptions = {}): Promise<MqttClient> {
      const client = await connectTo(broker.port, { username: 'key', password: key, ...more })
      clients.push(client)
      return client
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.end(true)
      await broker.stop()
    },
  }
}

/** A client on 127.0.0.1 that does not reconnect. Rejects when the connection ends before it is accepted. */
export async function connectTo(port: number, more: IClientOptions): Promise<MqttClient> {
  const options = { reconnectPeriod: 0, timerVariant: 'native', ...more } as const
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, options, false)
  client.on('error', () => undefined)
  return client
}

/** A reading as a device publishes it: its box is in the topic. */
export function published(...args: Parameters<typeof readingAt>): string {
  const { box: _, ...reading } = readingAt(...args)
  return JSON.stringify(reading)
}

export const trackingOf = (box: string): string => `befaqt/${box}/tracking`
export const refusedOf = (box: string): string => `befaqt/${box}/refused`

/** The next message that this client receives. */
export const nextMessage = (client: MqttClient): Promise<{ topic: string; said: Rejection }> =>
  new Promise((heard) => {
    client.once('message', (topic, payload) => heard({ topic, said: JSON.parse(String(payload)) }))
  })

/** Publishes at QoS 1 and waits for the acknowledgement. */
export async function publishAcknowledged(client: MqttClient, topic: string, payload: string): Promise<void> {
  await client.publishAsync(topic, payload, { qos: 1 })
}

/** Resolves when the broker closes the connection of this client. */
export const cutOff = (client: MqttClient): Promise<void> =>
  new Promise((cut) => {
    client.once('close', () => cut())
  })
