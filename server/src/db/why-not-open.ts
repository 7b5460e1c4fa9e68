import { configError } from '#server/config/listen.ts'

/** Why PostgreSQL could not be opened, by the code of the error. Source: PostgreSQL, appendix A; POSIX errno. */
const reasons: Record<string, (url: URL) => string> = {
  ECONNREFUSED: ({ host }) => `nobody answers at ${host}`,
  EHOSTUNREACH: ({ host }) => `nobody answers at ${host}`,
  ETIMEDOUT: ({ host }) => `nobody answers at ${host}`,
  ECONNRESET: ({ host }) => `${host} ends the connection`,
  ENOTFOUND: ({ hostname }) => `there is no machine called ${hostname}`,
  EAI_AGAIN: ({ hostname }) => `the name ${hostname} cannot be looked up`,
  '3D000': ({ pathname }) => `the server has no database ${decodeURIComponent(pathname.slice(1))}`,
  '28P01': ({ username }) => `the server refuses the password of ${decodeURIComponent(username)}`,
  '28000': ({ username }) => `the server does not let ${decodeURIComponent(username)} in`,
  '42501': ({ username }) => `${decodeURIComponent(username)} may not make tables in this database`,
  '53300': ({ host }) => `${host} has no connection left`,
  '57P03': ({ host }) => `PostgreSQL at ${host} is starting or ending`,
}

/** A sentence that names the setting and no password; the error itself when no setting mends it. */
export function whyNotOpen(error: unknown, databaseUrl: string): unknown {
  const url = new URL(databaseUrl)
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : ''
    const silent = /timeout expired|due to connection timeout/.test(e.message)
    const reason = reasons[silent ? 'ETIMEDOUT' : code]?.(url)
    if (reason !== undefined) return configError(`DATABASE_URL: ${reason}`, error)
  }
  return error
}
