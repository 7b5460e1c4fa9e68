import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config/config.ts'
import { configError, describeListenError } from '#server/config/listen.ts'
import type { Database } from '#server/db/client.ts'
import { groupCommit } from '#server/ingestion/group-commit.ts'
import { ingestMessages, type Message } from '#server/ingestion/ingest-messages.ts'
import type { StoringDeps } from '#server/ingestion/store-readings.ts'

/** Where the embedded broker listens unless a setting says otherwise: the port of MQTT. */
const USUAL_PORT = 1883
/** Readings of one transaction. */
const MAX_BATCH = 1_000
/** Advisory lock of the one process that is connected to the outside broker. */
const MQTT_LOCK = 0xbefa02
const RETRY_MS = 4_000

type End = () => Promise<void>

type MqttDeps = StoringDeps & {
  config: Pick<Config, 'HOST' | 'MQTT_URL' | 'MQTT_PORT' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>
  database: Database
}

/**
 * Messages that arrive while others are being stored, or within a tenth of a second after them, are stored together: a
 * transaction costs far more than another reading in it, and visitors wait for it. A device that waits for each
 * acknowledgement before it sends the next does not feel it.
 */
export const messageIngestion = (deps: StoringDeps) =>
  groupCommit((messages: readonly Message[]) => ingestMessages(deps, messages), {
    most: MAX_BATCH,
    rest: { ms: 100, enough: 16, senderOf: ({ box }) => box },
  })

/**
 * Takes readings from the broker that MQTT_URL names: one process of a shop at a time, the others wait to take over.
 * Answers how to end it; undefined without MQTT_URL.
 */
export async function startExternalBroker(deps: MqttDeps): Promise<End | undefined> {
  const { database, config, log, ingestion } = deps
  if (config.MQTT_URL === undefined) return undefined
  const url = new URL(config.MQTT_URL)
  const { connectExternalBroker } = await import('./external-broker.ts')
  const { add } = messageIngestion(deps)
  const stopping = new AbortController()
  const { signal } = stopping
  ingestion.broker.kind = 'outside'
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await database
        .withLeadership(MQTT_LOCK, ({ lost }) =>
          connectExternalBroker(deps, add, url, AbortSignal.any([lost, signal])),
        )
        .catch((err: unknown) => log.error({ err }, 'MQTT ingestion interrupted; retrying'))
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const following = follow()
  return async () => {
    stopping.abort()
    await following
  }
}

/**
 * Opens the embedded broker, unless MQTT_URL names another or MQTT_PORT is 0. A port that was asked for and is taken
 * stops the start; when nobody asked for one, the shop goes without and says so in a line.
 * @throws Error whose message names the setting that is wrong in a sentence
 */
export async function startEmbeddedBroker(
  deps: MqttDeps,
  print: (text: string) => void,
  usualPort = USUAL_PORT,
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
