import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import type { Database } from './client.ts'
import { databaseWarnings } from './database-warnings.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

/** Opens the database that the settings name, and logs what an operator should change in it. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.DATABASE_URL === undefined) return openEmbedded(config.DATA_DIR)
  const onError = (err: Error): void => log.error({ err }, 'database connection lost')
  const database = await openPostgres(config.DATABASE_URL, onError)
  for (const sentence of await databaseWarnings(database.db)) log.warn({ part: 'database' }, sentence)
  return database
}
