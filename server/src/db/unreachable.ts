import { DrizzleQueryError } from 'drizzle-orm'

/** Connecting to the database failed or timed out. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** SQLSTATEs of shutdown, exhausted resources and timeouts. Source: PostgreSQL, error codes. */
const UNAVAILABLE = /^(?:08...|533..|57P0[1-5]|57014|25P0[34])$/
/** System errors of a connection. */
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
])
/** Messages of node-postgres, which have no code. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout e)/

/**
 * Did this query fail because the database is unreachable, rather than because of its content? Only errors of queries
 * count: connections to other services fail with the same codes.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true
  if (!(error instanceof Error)) return false
  return error instanceof DrizzleQueryError
    ? isConnectionError(error.cause)
    : isDatabaseUnreachable(error.cause)
}

/** Is this an error of a connection to PostgreSQL? */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return UNAVAILABLE.test(code) || CONNECTION_ERRORS.has(code) || CONNECTION_MESSAGES.test(error.message)
}
