import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Server, type ServerOptions, startServer } from './server.ts'

const serverUrl = process.env.TEST_DATABASE_URL

/** For a test's `skip` option: false when a PostgreSQL server is available, else the reason. */
export const withoutPostgres = serverUrl ? false : 'no PostgreSQL server: TEST_DATABASE_URL is not set'

/** A shop on a fresh PostgreSQL database that a test can read and change while the shop runs. */
export type PostgresShop = Server & {
  databaseUrl: string
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Starts a server on a database of its own, dropped at the end. Use with `await using`. */
export async function startServerOnPostgres(options: ServerOptions = {}): Promise<PostgresShop> {
  const { url: databaseUrl, drop } = await freshDatabase()
  try {
    const server = await startServer({ ...options, env: { ...options.env, DATABASE_URL: databaseUrl } })
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    return {
      ...server,
      databaseUrl,
      query: async (sql, values = []) => (await pool.query(sql, [...values])).rows,
      [Symbol.asyncDispose]: async () => {
        await pool.end()
        try {
          await server[Symbol.asyncDispose]()
        } finally {
          await drop()
        }
      },
    }
  } catch (error) {
    await drop()
    throw error
  }
}

/** An empty database on the PostgreSQL server of the tests. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  if (!serverUrl) throw new Error('TEST_DATABASE_URL is not set')
  const name = `befaqt_e2e_${randomUUID().replaceAll('-', '')}`
  await onDatabase(serverUrl, `create database ${name}`)
  const { href: url } = Object.assign(new URL(serverUrl), { pathname: `/${name}` })
  return { url, drop: () => onDatabase(serverUrl, `drop database ${name} with (force)`) }
}

/** Runs SQL, one statement or many, on a connection of its own. */
export async function onDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
