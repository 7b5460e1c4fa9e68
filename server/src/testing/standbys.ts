import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openPostgres } from '#server/db/postgres.ts'
import { type PrivatePostgres, startPostgres } from '../../../tools/test/private-postgres.ts'
import type { TestDb } from './database.ts'

/** A PostgreSQL server for one test. Use with `await using`. @param standbyOf address of the one that it follows */
export async function postgresServer(standbyOf?: string): Promise<PrivatePostgres & AsyncDisposable> {
  const started = await startPostgres(
    standbyOf === undefined ? { crashes: true } : { crashes: true, standbyOf },
  )
  if ('why' in started) throw new Error(started.why)
  let frozen = false
  const freeze = (): void => {
    frozen = true
    started.freeze()
  }
  const thaw = (): void => {
    if (frozen) started.thaw()
    frozen = false
  }
  const stop = (): Promise<void> => {
    thaw() // else it would never end
    return started.stop()
  }
  return { ...started, freeze, thaw, [Symbol.asyncDispose]: stop }
}

/** Opens the database of such a server, migrated. Use with `await using`. */
export async function databaseAt(url: string): Promise<TestDb> {
  const database = await openPostgres(url, () => undefined)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

/** Runs statements on a connection of its own, and returns the rows of the last. */
export async function statements<Row extends pg.QueryResultRow>(
  url: string,
  ...all: string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let last: Row[] = []
    for (const statement of all) last = (await client.query<Row>(statement)).rows
    return last
  } finally {
    await client.end()
  }
}

/** Changes settings of a running server. */
export const configure = (url: string, ...settings: string[]): Promise<unknown> =>
  statements(url, ...settings.map((setting) => `alter system ${setting}`), 'select pg_reload_conf()')

/** Waits for as long as the test may last. @param everyMs less often, where questions are limited */
export async function eventually(isSo: () => Promise<boolean>, everyMs = 50): Promise<void> {
  while (!(await isSo())) await sleep(everyMs)
}

/** Waits until so many commits wait for a standby. */
export const commitsWait = (url: string, n = 1): Promise<void> =>
  eventually(async () => {
    const waiting = await statements(url, `select from pg_stat_activity where wait_event = 'SyncRep'`)
    return waiting.length >= n
  })
