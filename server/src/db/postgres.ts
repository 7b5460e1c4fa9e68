import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Database } from './client.ts'
import { refuseNewer } from './refuse-newer.ts'
import { schema } from './schema/index.ts'

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** Opens PostgreSQL at `url` and brings its tables up to date; several processes may start at once. */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', onError)
  await migrateOnce(pool)
  const db = drizzle(pool, { schema, casing: 'snake_case' })
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', onError)
    await client.connect()
    return client
  }
  return {
    db,
    kind: 'postgres',
    listen: (channel, heard) => listenForever(open, channel, heard),
    withLeadership: (key, work) => lead(open, key, work),
    close: () => pool.end(),
  }
}

const MIGRATION_LOCK = 0xbefa97

/** The migrator has no lock of its own: two first starts at once would both create tables. */
async function migrateOnce(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const db = drizzle(client, { casing: 'snake_case' })
    await refuseNewer(db, MIGRATIONS)
    await migrate(db, { migrationsFolder: MIGRATIONS })
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    client.release()
  }
}

const RECONNECT_MS = 1_000

/** A listening connection that comes back after a broken one; a reconnect counts as news, since some were missed. */
async function listenForever(
  open: () => Promise<pg.Client>,
  channel: string,
  heard: (payload: string) => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async (again: boolean): Promise<void> => {
    const opened = await open()
    client = opened
    opened.on('notification', (message) => heard(message.payload ?? ''))
    opened.on('end', retry)
    await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (again) heard('')
  }
  const retry = (): void => {
    if (stopped) return
    timer = setTimeout(() => connect(true).catch(retry), RECONNECT_MS)
  }
  await connect(false)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}

/** One leader among processes: the lock lives and dies with its connection. */
async function lead(
  open: () => Promise<pg.Client>,
  key: number,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const client = await open()
  const lost = new AbortController()
  client.on('end', () => lost.abort())
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key])
    if (rows[0]?.got !== true) return false
    await work(lost.signal)
    return true
  } finally {
    await client.end()
  }
}
