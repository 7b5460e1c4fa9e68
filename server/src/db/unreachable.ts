import { DrizzleQueryError } from 'drizzle-orm'

/** No connection to the database could be had in time. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** What PostgreSQL says when it goes away, has no room, or gave a statement up. Source: PostgreSQL, error codes. */
const AWAY = /^(?:08...|533..|57P0[1-5]|57014|25P0[34])$/
/** What the system says of a connection. */
const CUT = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
])
/** What node-postgres says, without a code. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout e)/

/**
 * Did this query fail because the database is away, and not because of what was asked? Looks at the errors of queries
 * only: other services are cut off with the same codes.
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true
  if (!(error instanceof Error)) return false
  return error instanceof DrizzleQueryError ? isAway(error.cause) : isDatabaseUnreachable(error.cause)
}

/** Is this an error of a connection to PostgreSQL? */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY.test(code) || CUT.has(code) || LOST.test(error.message)
}
