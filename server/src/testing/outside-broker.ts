import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { Aedes, type Client } from 'aedes'
import pino from 'pino'
import { readConfig } from '#server/config/config.ts'
import type { Deps } from '#server/deps.ts'
import { newIngestionState } from '#server/ingestion/box-state-cache.ts'
import { startExternalBroker } from '#server/mqtt/start-mqtt.ts'
import { connectTo } from './mqtt.ts'
import { shopWithBoxes } from './readings.ts'

const USER = { username: 'shop', password: 'herring/and@ice' }

/**
 * An external broker with a password. It can be stopped and restarted, and may delay accepting messages.
 */
export async function openOutside(beforeTaking: (topic: string) => Promise<void> = async () => undefined) {
  const aedes = await Aedes.createBroker({
    authorizePublish: (_client, { topic }, done) => void beforeTaking(topic).then(() => done(null), done),
    authenticate: (_client, user, password, done) =>
      done(null, user === USER.username && password?.toString() === USER.password),
  })
  const inside = new Set<Socket>()
  const server = createServer((socket) => {
    inside.add(socket.on('close', () => inside.delete(socket)))
    aedes.handle(socket)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const away = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of inside) socket.destroy()
    await closed
  }
  const port = await listen(0)
  const password = encodeURIComponent(USER.password)
  return {
    port,
    url: `mqtt://${USER.username}:${password}@127.0.0.1:${port}`,
    device: () => connectTo(port, USER),
    away,
    back: () => listen(port),
    /** Payload of the next reading that the shop, which has a persistent session, acknowledges. */
    acknowledged: (): Promise<string> =>
      new Promise((told) => {
        const hear = (packet: object, client: Client): void => {
          if (client.clean) return
          aedes.off('ack', hear)
          told('payload' in packet ? String(packet.payload) : '')
        }
        aedes.on('ack', hear)
      }),
    /** Payloads of all messages that the shop acknowledges from now on. */
    acknowledgements: (): string[] => {
      const payloads: string[] = []
      aedes.on('ack', (packet: object, client: Client) => {
        if (!client.clean && 'payload' in packet) payloads.push(String(packet.payload))
      })
      return payloads
    },
    /** Resolves when a client has subscribed. */
    subscribed: (): Promise<unknown> => once(aedes, 'subscribe'),
    async [Symbol.asyncDispose]() {
      if (server.listening) await away()
      await new Promise<void>((closed) => aedes.close(closed))
    },
  }
}

/** A process of the shop that is connected to the broker at `url`, with its log. */
export async function follower(deps: Deps, url: string) {
  const lines: string[] = []
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const config = { ...deps.config, MQTT_URL: readConfig({ MQTT_URL: url }).MQTT_URL }
  const ingestion = newIngestionState()
  const end = await startExternalBroker({ ...deps, ingestion, config, log: pino(kept) })
  assert.ok(end)
  return { log: () => lines.join(''), ingestion, end, [Symbol.asyncDispose]: end }
}

/**
 * A shop with these boxes, an external broker, and a process of the shop that is connected to it. Use with `await using`.
 */
export async function connectedShop(
  boxIDs: readonly string[],
  {
    beforeTaking,
    ...more
  }: Parameters<typeof shopWithBoxes>[1] & {
    beforeTaking?: Parameters<typeof openOutside>[0]
  } = {},
) {
  await using opened = new AsyncDisposableStack()
  const shop = opened.use(await shopWithBoxes(boxIDs, more))
  const outside = opened.use(await openOutside(beforeTaking))
  const ready = outside.subscribed()
  const shopProcess = opened.use(await follower(shop.deps, outside.url))
  await ready
  const all = opened.move()
  return { shop, outside, shopProcess, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
