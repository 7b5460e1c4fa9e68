import type { Config } from '#server/config/config.ts'
import { configError, describeListenError } from '#server/config/listen.ts'
import type { Database } from '#server/db/client.ts'
import { groupCommit } from '#server/db/group-commit.ts'
import { brokerOf, ingestMessages, type StoringDeps } from '#server/ingestion/index.ts'
import type { BrokerMessage } from './port.ts'

/** The registered port of MQTT. */
const DEFAULT_PORT = 1883
/** Readings in one transaction. */
const MAX_BATCH = 1_000

type End = () => Promise<void>

type MqttDeps = StoringDeps & {
  config: Pick<Config, 'HOST' | 'MQTT_URL' | 'MQTT_PORT' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>
  database: Database
}

/**
 * Batches messages that arrive while others are being stored, or within 100 ms after them: a transaction costs far more
 * than one more reading in it, and delays visitors. Devices that wait for each acknowledgement do not notice. Once a
 * message could not be stored, its connection gets none stored for that box any more: the sender sends it again, and what
 * was signed after it, with a higher counter, must not have come before.
 */
export const messageIngestion = (deps: StoringDeps) =>
  groupCommit((messages: readonly BrokerMessage[]) => ingestMessages(deps, messages), {
    most: MAX_BATCH,
    rest: { ms: 100, enough: 16, senderOf: ({ box }) => box },
    lineOf: ({ connection, box }) => ({ of: connection, name: box }),
  })

/**
 * Ingests readings from the broker in MQTT_URL: the processes of a shop share them or, where the broker can't, one takes
 * them and the others wait to take over. Returns a function that stops it; undefined without MQTT_URL.
 */
export async function startExternalBroker(deps: MqttDeps): Promise<End | undefined> {
  const { database, config, log, ingestion } = deps
  if (config.MQTT_URL === undefined) return undefined
  const url = new URL(config.MQTT_URL)
  const [{ holdShare }, { takeShares }] = await Promise.all([
    import('./external-broker.ts'),
    import('./broker-shares.ts'),
  ])
  const broker = { log, config, ingest: messageIngestion(deps).add, url }
  const stopping = new AbortController()
  ingestion.broker = brokerOf('outside')
  const taking = takeShares(
    { database, log, state: ingestion.broker, broker: url.host },
    (share, line, ended) => holdShare(broker, share, line, ended),
    stopping.signal,
  )
  return async () => {
    stopping.abort()
    await taking
  }
}

/**
 * Opens the embedded broker, unless MQTT_URL names another or MQTT_PORT is 0. If the port is in use, a configured
 * MQTT_PORT stops the start; without the setting the shop starts without MQTT and prints a warning.
 * @throws Error whose message names the wrong setting
 */
export async function startEmbeddedBroker(
  deps: MqttDeps,
  print: (text: string) => void,
  usualPort = DEFAULT_PORT,
): Promise<End | undefined> {
  const { config, log } = deps
  if (config.MQTT_URL !== undefined || config.MQTT_PORT === 0) return undefined
  const where = { host: config.HOST, port: config.MQTT_PORT ?? usualPort }
  const { embeddedBroker } = await import('./embedded-broker.ts')
  try {
    const broker = await embeddedBroker(deps, messageIngestion(deps).add, where)
    log.info(where, 'devices may connect over MQTT')
    return () => broker.stop()
  } catch (error) {
    const reason = describeListenError(error, { setting: 'MQTT_PORT', ...where })
    if (reason === undefined) throw error
    if (config.MQTT_PORT !== undefined) throw configError(reason, error)
    print(`MQTT is off. ${reason}. Set MQTT_PORT for another port.`)
    log.warn({ reason }, 'MQTT is off')
    return undefined
  }
}
