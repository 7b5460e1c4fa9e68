import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '#server/config/config.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { Primary } from '#server/db/primary.ts'
import { sqlState } from '#server/db/sql-errors.ts'
import { temporaryFolder } from './temporary.ts'

/** Where a drill restores to: nothing of the shop's. */
export type DrillPlace = {
  /** The shop's settings, with this place's database and folder in them. */
  config: Omit<Config, 'WITNESSES'>
  kind: 'postgres' | 'embedded'
  /** Leaves nothing of it. */
  remove(): Promise<void>
}

/** Why there is no place for a drill, in a sentence for the operator. */
export class NoPlace extends Error {}

/**
 * Makes an empty place: a folder of temporary files, and on the shop's own server a database beside its own, or in that
 * folder an embedded one. What drills left that were killed is removed before.
 * @throws NoPlace
 */
export async function drillPlace(config: Omit<Config, 'WITNESSES'>, embedded: boolean): Promise<DrillPlace> {
  const {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: direct,
    DATABASE_READ_URL: _replica,
    FILES_URL: _,
    ...rest
  } = config
  const address = direct ?? url
  const folder = await temporaryFolder('drill')
  const inFolder = { ...rest, DATA_DIR: join(folder.path, 'data') }
  if (address === undefined || embedded) return { config: inFolder, kind: 'embedded', remove: folder.remove }
  try {
    const database = await drillDatabase(address)
    const remove = (): Promise<void> => database.remove().finally(folder.remove)
    return { config: { ...inFolder, DATABASE_URL: database.url }, kind: 'postgres', remove }
  } catch (error) {
    await folder.remove()
    throw error
  }
}

/** Source: PostgreSQL, appendix A. */
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * A database beside the one at `address`. Whose it is, is in its name: the number of the shop's database. One drill of a
 * shop at a time holds a lock, so what else has such a name was left.
 */
async function drillDatabase(address: string) {
  const primary = new Primary(address)
  await primary.find()
  const client = new pg.Client({ connectionString: primary.address, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined) // the query that fails reports it
  await client.connect()
  try {
    const lock = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      advisoryLocks.drill,
    ])
    if (lock.rows[0]?.got !== true)
      throw new NoPlace('Another drill of this shop runs on this server: wait for it.')
    const own = await client.query<{ oid: string }>(
      'select oid::text from pg_database where datname = current_database()',
    )
    const prefix = `befaqt_drill_${own.rows[0]?.oid}_`
    const left = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    const drop = (name: string) => client.query(`drop database if exists ${name} with (force)`)
    for (const { name } of left.rows) await drop(name)
    const name = `${prefix}${randomBytes(6).toString('hex')}`
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
    const url = Object.assign(new URL(primary.address), { pathname: `/${name}` }).href
    return { url, remove: () => drop(name).then(() => client.end()) }
  } catch (error) {
    await client.end()
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE)
      throw new NoPlace(
        `${decodeURIComponent(new URL(address).username)} may not create a database on the shop’s server. Run: alter role ${decodeURIComponent(new URL(address).username)} createdb; or give --embedded.`,
      )
    throw error
  }
}
