import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { type Database, type Db, rows } from './client.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import { slowStatements } from './slow-statements.ts'

/** Opens the database that the settings name, and logs what an operator should change in it. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const slow = config.SLOW_STATEMENT_MS === 0 ? undefined : slowStatements(config.SLOW_STATEMENT_MS, log)
  if (config.DATABASE_URL === undefined) return openEmbedded(config.DATA_DIR, slow)
  const onError = (err: Error): void => log.error({ err }, 'database connection lost')
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_READ_URL: replica } = config
  const where = direct === undefined ? { direct: url } : { pooler: url, direct }
  const database = await openPostgres({ ...where, replica }, onError, undefined, slow)
  for (const sentence of await databaseWarnings(database.db)) log.warn({ part: 'database' }, sentence)
  return database
}

/**
 * What an operator should change in PostgreSQL, a sentence each with what to do: sorting rules that changed under the
 * indexes, as after an upgrade of the operating system, JIT compilation, and limits of time that a pooler dropped. Source: PostgreSQL, 'ALTER DATABASE …
 * REFRESH COLLATION VERSION'.
 */
export async function databaseWarnings(db: Db): Promise<string[]> {
  const [found] = await rows<Settings>(
    db,
    sql`select quote_ident(datname) as database, quote_ident(current_user) as role,
          pg_jit_available() and current_setting('jit')::boolean as jit,
          current_setting('statement_timeout') = '0' or current_setting('idle_in_transaction_session_timeout') = '0' as endless,
          datcollversion as before, pg_database_collation_actual_version(oid) as now
        from pg_database where datname = current_database()`,
  )
  if (found === undefined) return []
  const { database, role, jit, endless, before, now } = found
  const columns = await rows<{ name: string; before: string; now: string | null }>(
    db,
    sql`select distinct c.oid::regcollation::text as name, c.collversion as before,
          pg_collation_actual_version(c.oid) as now
        from pg_collation c join pg_attribute a on a.attcollation = c.oid join pg_class t on t.oid = a.attrelid
        where t.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
          and c.collversion <> pg_collation_actual_version(c.oid)`,
  )
  return [
    ...(before !== null && before !== now
      ? [changedRules('the database', before, now, `alter database ${database}`, database)]
      : []),
    ...columns.map(({ name, before, now }) =>
      changedRules(`the collation ${name}`, before, now, `alter collation ${name}`, database),
    ),
    ...(jit
      ? [
          'JIT compilation is on for the connections of the shop: some statements of a millisecond take more than a ' +
            `second. Run: alter database ${database} set jit = off;`,
        ]
      : []),
    ...(endless
      ? [
          'Nothing ends a statement or an idle transaction that takes for ever: a pooler drops the limits that the shop ' +
            `asks for. Run: alter role ${role} in database ${database} set statement_timeout = '60s'; ` +
            `alter role ${role} in database ${database} set idle_in_transaction_session_timeout = '30s';`,
        ]
      : []),
  ]
}

type Settings = {
  database: string
  role: string
  jit: boolean
  /** Nothing ends a statement, or a transaction that is idle. */
  endless: boolean
  before: string | null
  now: string | null
}

const changedRules = (
  what: string,
  before: string,
  now: string | null,
  alter: string,
  database: string,
): string =>
  `The indexes of ${what} were built with version ${before} of its sorting rules, and the system has ${now ?? 'none'} now: ` +
  'searches may miss rows, and what must be unique may be there twice. Stop the shop and run: ' +
  `reindex database ${database}; ${alter} refresh collation version;`
