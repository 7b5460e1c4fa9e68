import { writeSync } from 'node:fs'
import pino from 'pino'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { newIngestionState } from '#server/ingestion/box-state-cache.ts'
import { embeddedBroker } from '#server/mqtt/embedded-broker.ts'
import { messageIngestion } from '#server/mqtt/start-mqtt.ts'
import { readSiteFile } from '#server/site/site.ts'

/**
 * A process for tests to kill: takes readings over MQTT on the port of its second argument into the PostgreSQL of its
 * first, as the shop does. Logs a line when it listens.
 */
const [url = '', port = ''] = process.argv.slice(2)
const { db } = await openPostgres(url, () => undefined)
const deps = {
  db,
  config: readConfig({}),
  log: pino({ level: 'silent' }),
  now: () => new Date(),
  catalogue: { changed: () => undefined },
  ingestion: newIngestionState(),
  siteFile: await readSiteFile(),
}
await embeddedBroker(deps, messageIngestion(deps).add, { host: '127.0.0.1', port: Number(port) })
writeSync(1, 'listening\n')
