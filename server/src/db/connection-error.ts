import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { configError } from '#server/config/listen.ts'
import { NoPrimary } from './primary.ts'

/** Why PostgreSQL could not be opened, by error code. Source: PostgreSQL, appendix A; POSIX errno. */
const reasons: Record<string, (url: URL) => string> = {
  ECONNREFUSED: ({ host }) => `connection refused by ${host}`,
  EHOSTUNREACH: ({ host }) => `${host} is unreachable`,
  ETIMEDOUT: ({ host }) => `timeout while connecting to ${host}`,
  ECONNRESET: ({ host }) => `connection reset by ${host}`,
  ENOTFOUND: ({ hostname }) => `unknown host ${hostname}`,
  EAI_AGAIN: ({ hostname }) => `DNS lookup of ${hostname} failed`,
  '3D000': ({ pathname }) => `the server has no database ${decodeURIComponent(pathname.slice(1))}`,
  '28P01': ({ username }) => `password authentication failed for ${decodeURIComponent(username)}`,
  '28000': ({ username }) => `the server rejects the user ${decodeURIComponent(username)}`,
  '42501': ({ username }) =>
    `${decodeURIComponent(username)} has no permission to create tables in this database`,
  '53300': ({ host }) => `too many connections at ${host}`,
  '57P03': ({ host }) => `PostgreSQL at ${host} is starting up or shutting down`,
}

/** The one server that is named is a standby, which takes no writes. */
export class StandbyAlone extends Error {
  constructor(address: string) {
    super(`${new URL(address).host} is a standby`)
    this.name = 'StandbyAlone'
  }
}

/**
 * An error that names the setting but no password; the original error when no setting fixes it.
 * @param setting name of the variable that the address is from
 */
export function toConnectionError(error: unknown, databaseUrl: string, setting: string): unknown {
  const url = new URL(databaseUrl)
  if (error instanceof StandbyAlone)
    return configError(
      `${setting}: ${error.message}, or only takes reads; the shop writes. Name the primary, or all hosts, separated by commas`,
      error,
    )
  if (error instanceof NoPrimary && error.cause === undefined)
    return configError(
      `${setting}: each of its hosts is a standby; the shop needs the primary among them`,
      error,
    )
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : ''
    const timedOut = /timeout expired|due to connection timeout/.test(e.message)
    const reason = reasons[timedOut ? 'ETIMEDOUT' : code]?.(url)
    const refused = refusedParameter(e)
    if (refused !== undefined) return configError(`${setting}: ${refused}`, error)
    if (reason !== undefined) return configError(`${setting}: ${reason}`, error)
  }
  return error
}

/** A setting of a session that means nothing to PostgreSQL. */
const MARK = 'befaqt.session'

const DIRECT = 'Give the shop the address of PostgreSQL itself, or a pooler with pool_mode = session'

/**
 * Rejects a connection pooler in transaction mode, which gives each transaction of a connection another session of the
 * server, and each session to many connections: what belongs to a session, as notifications, leadership and the lock of
 * the migrations, would be lost without an error. Sets a mark on one connection; another one must not see it, and the
 * first one must keep it.
 * @param connect opens a connection with the parameters that the shop's have
 * @param setting name of the variable that the address is from @throws Error for the operator
 */
export async function assertOwnSession(connect: () => Promise<pg.Client>, setting: string): Promise<void> {
  const clients: pg.Client[] = []
  const open = async (): Promise<pg.Client> => {
    const client = await connect()
    clients.push(client)
    return client
  }
  try {
    const [one, other] = [await open(), await open()]
    const mark = randomUUID()
    await one.query('select set_config($1, $2, false)', [MARK, mark])
    await other.query('begin') // a pooler gives it a session for that long, most likely the one just used
    if ((await markOf(other)) === mark || (await markOf(one)) !== mark)
      throw configError(
        `${setting}: a connection pooler in transaction mode answers there, as PgBouncer with pool_mode = transaction. ` +
          'The shop needs sessions that last for some of its work. Give it the address of PostgreSQL itself, or both: ' +
          'that of the pooler as DATABASE_URL, and as DATABASE_DIRECT_URL that of PostgreSQL',
        undefined,
      )
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>('select current_setting($1, true) as mark', [
    MARK,
  ])
  return rows[0]?.mark ?? null
}

/** Says which setting to change when a pooler refused a parameter of the connection; undefined: it was something else. */
function refusedParameter(error: Error): string | undefined {
  const [, name] = /unsupported startup parameter: (\w+)/.exec(error.message) ?? []
  return (
    name &&
    `a connection pooler answers there and refuses the parameter ${name}. ${DIRECT} that lists it in ignore_startup_parameters`
  )
}
