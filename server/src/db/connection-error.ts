import { configError } from '#server/config/listen.ts'
import { refusedParameter } from './assert-own-session.ts'

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

/** An error that names the setting but no password; the original error when no setting fixes it. */
export function toConnectionError(error: unknown, databaseUrl: string): unknown {
  const url = new URL(databaseUrl)
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : ''
    const timedOut = /timeout expired|due to connection timeout/.test(e.message)
    const reason = reasons[timedOut ? 'ETIMEDOUT' : code]?.(url)
    const refused = refusedParameter(e)
    if (refused !== undefined) return configError(`DATABASE_URL: ${refused}`, error)
    if (reason !== undefined) return configError(`DATABASE_URL: ${reason}`, error)
  }
  return error
}
