import { DrizzleQueryError } from 'drizzle-orm'
import type { Database } from './client.ts'

/** Connecting to the database failed or timed out. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** SQLSTATEs of shutdown, exhausted resources, timeouts and of a primary that is a standby now. Source: PostgreSQL, error codes. */
const UNAVAILABLE = /^(?:08...|533..|57P0[1-5]|57014|25P0[34]|25006)$/
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

/**
 * How long something that reads the database may take before it is asked whether it still answers, each time, and how
 * long that answer may take.
 */
type Patience = { askAfterMs: number; answerMs: number }
/** Together below the five seconds that a visitor is promised. */
const usual: Patience = { askAfterMs: 2_500, answerMs: 1_500 }

/**
 * Asks the database each time that something has taken long, until the returned function is called, and calls `onHung`,
 * once, when it answers nothing. No more than a timer where all goes well: each request has one.
 */
export function watchDatabase(
  database: Pick<Database, 'answers'>,
  onHung: (cause: Error) => void,
  { askAfterMs, answerMs } = usual,
): () => void {
  let isOver = false
  const ask = async (): Promise<void> => {
    const doesAnswer = await database.answers(answerMs).catch(() => false)
    if (isOver) return
    if (doesAnswer) timer = setTimeout(ask, askAfterMs)
    else onHung(new Error('the database answers nothing'))
  }
  let timer = setTimeout(ask, askAfterMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * The result of `work`, however long it takes, as long as the database answers others meanwhile. `work` itself goes on.
 * @throws DatabaseUnreachable when it does not, as one whose machine hangs: within about four seconds, or less `patience`
 */
export async function whileAnswering<Made>(
  database: Pick<Database, 'answers'>,
  work: Promise<Made>,
  patience = usual,
): Promise<Made> {
  const { promise: hung, reject } = Promise.withResolvers<never>()
  const stop = watchDatabase(database, (cause) => reject(new DatabaseUnreachable(cause)), patience)
  try {
    return await Promise.race([work, hung])
  } finally {
    stop()
  }
}
