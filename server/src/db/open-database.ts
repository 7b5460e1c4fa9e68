import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import type { Database } from './client.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'

/** Opens the database that the settings name. */
export const openDatabase = (config: Config, log: Logger): Promise<Database> =>
  config.DATABASE_URL === undefined
    ? openEmbedded(config.DATA_DIR)
    : openPostgres(config.DATABASE_URL, (err) => log.error({ err }, 'database connection lost'))
