import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Duplex, pipeline, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Aedes, type Client } from 'aedes'
import type { Config } from '#server/config/config.ts'
import { proxyTrust } from '#server/config/trusted-proxies.ts'
import { clientNetwork, connectionLimiter } from '#server/http/client-network.ts'
import { brokerOf, type IngestionState } from '#server/ingestion/index.ts'
import { type BrokerRules, brokerRules, type RulesDeps } from './broker-rules.ts'
import type { Broker, IngestMessage } from './port.ts'

/** A reading has about 200 bytes. */
const MAX_PACKET_BYTES = 16 * 1024
const MAX_CONNECTIONS = 2_000
/** A whole fleet may connect through the one address of a market hall. */
const MAX_CONNECTIONS_PER_NETWORK = 500
const CONNECT_TIMEOUT_MS = 10_000
/** A subscriber that does not read its messages for this long is disconnected. */
const DRAIN_TIMEOUT_MS = 5_000
/** TCP keepalive: idle time before the system probes the peer. */
const KEEPALIVE_MS = 60_000

type EmbeddedDeps = RulesDeps & { ingestion: IngestionState; config: Pick<Config, 'TRUSTED_PROXIES'> }

/** A broker in this process. `port` is the actual port, also when the system chose it. */
type EmbeddedBroker = Broker & { port: number }

/** Starts a broker in this process. @throws the system's error when it can't listen */
export async function embeddedBroker(
  deps: EmbeddedDeps,
  ingest: IngestMessage,
  where: { host: string; port: number },
): Promise<EmbeddedBroker> {
  const stopping = new AbortController()
  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    drainTimeout: DRAIN_TIMEOUT_MS,
  })
  const publishText = (topic: string, text: string): Promise<void> => publish(aedes, topic, text)
  const rules = brokerRules(deps, ingest, publishText, stopping.signal)
  Object.assign(aedes, rules.hooks)
  watch(aedes, deps, rules)
  const listener = createListener(aedes, proxyTrust(deps.config.TRUSTED_PROXIES))
  const end = async (): Promise<void> => {
    await new Promise<void>((closed) => aedes.close(closed))
    await listener.close()
  }
  try {
    listener.server.listen(where.port, where.host)
    await once(listener.server, 'listening')
  } catch (error) {
    await end()
    throw error
  }
  deps.ingestion.broker = brokerOf('embedded', true)
  const address = listener.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : where.port,
    async stop() {
      deps.ingestion.broker.up = false
      stopping.abort()
      await rules.idle()
      await setImmediate() // lets stored messages be acknowledged before the connections close
      await end()
    },
  }
}

const publish = (aedes: Aedes, topic: string, payload: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
    aedes.publish(packet, (error) => (error ? reject(error) : resolve()))
  })

/** Counts devices, logs why they were disconnected, and disconnects those whose key was revoked. */
function watch(aedes: Aedes, { log, ingestion }: EmbeddedDeps, rules: BrokerRules): void {
  const count = (): void => {
    ingestion.broker.devices = aedes.connectedClients
  }
  const endRevoked = async (client: Client): Promise<void> => {
    if ((await rules.deviceAt(client)?.holds()) === false) client.close()
  }
  aedes.on('client', count)
  aedes.on('clientDisconnect', count)
  aedes.on('clientError', (client, { message }) =>
    log.info({ key: rules.deviceAt(client)?.keyId, reason: message }, 'device disconnected'),
  )
  aedes.on('connectionError', (_client, { message }) => log.info({ reason: message }, 'device rejected'))
  aedes.on('ping', (_packet, client) => {
    endRevoked(client).catch((err: unknown) => log.error({ err }, 'API key lookup of a device failed'))
  })
}

/**
 * The TCP listener: limits connections in total and per network, and the length of packets. MQTT does not tell the
 * client's address behind a proxy, so connections through a trusted proxy are not limited per network.
 */
function createListener(
  aedes: Aedes,
  isProxy: ReturnType<typeof proxyTrust>,
): { server: Server; close(): Promise<void> } {
  const enter = connectionLimiter(MAX_CONNECTIONS_PER_NETWORK)
  const inside = new Set<Socket>()
  const server = createServer((socket) => {
    const { remoteAddress } = socket
    const leave = isProxy(remoteAddress) ? () => undefined : enter(clientNetwork(remoteAddress ?? ''))
    if (leave === undefined) return void socket.destroy()
    inside.add(socket)
    socket.once('close', () => {
      inside.delete(socket)
      leave()
    })
    socket.setNoDelay(true).setKeepAlive(true, KEEPALIVE_MS)
    aedes.handle(limitPackets(socket, MAX_PACKET_BYTES))
  })
  server.maxConnections = MAX_CONNECTIONS
  return {
    server,
    async close() {
      for (const socket of inside) socket.destroy()
      if (server.listening) await new Promise((closed) => server.close(closed))
    },
  }
}

/** Bytes of a packet's length field. Source: MQTT 3.1.1 §2.2.3. */
const MAX_LENGTH_BYTES = 4

/**
 * Inspects the headers of a stream of MQTT packets: returns false for one that is longer than `most` bytes, or whose
 * length is malformed, before its content arrives. Source: MQTT 3.1.1 §2.2.
 */
export function packetHeads(most: number): (chunk: Uint8Array) => boolean {
  let body = 0 // remaining bytes of the current packet
  let inHead = false // after the first byte, until the length is complete
  let length = 0
  let lengthBytes = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (body > 0) {
        const passed = Math.min(body, chunk.length - at)
        body -= passed
        at += passed
        continue
      }
      const byte = chunk[at++] ?? 0
      if (!inHead) {
        ;[inHead, length, lengthBytes] = [true, 0, 0]
        continue
      }
      length += (byte & 127) * 128 ** lengthBytes++
      if (byte < 128) [inHead, body] = [false, length]
      if (length > most || (inHead && lengthBytes === MAX_LENGTH_BYTES)) return false
    }
    return true
  }
}

/** The same connection, closed when a packet longer than `most` bytes begins, so that no client makes us buffer more. */
export function limitPackets(socket: Duplex, most: number): Duplex {
  const passes = packetHeads(most)
  const readable = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) =>
      passes(chunk) ? done(null, chunk) : done(new Error(`a packet of more than ${most} bytes`)),
  })
  pipeline(socket, readable, () => undefined)
  return Duplex.from({ readable, writable: socket })
}
