import { DrizzleQueryError } from 'drizzle-orm'
import pino, { type DestinationStream, type Logger } from 'pino'

/** One JSON object a line, on standard output unless `to` is given. */
export const openLog = (level: string, to?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorForLog(error) },
    },
    to,
  )

/** The logged part of an error: libraries attach whole connections, and values that people typed, to theirs. */
type LoggedError = { type: string; message: string; code?: string; stack?: string; cause?: LoggedError }

const MAX_CAUSES = 5

/** Type, message, code and stack of an error and its causes; no other properties. */
export function errorForLog(error: unknown, causes = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const logged: LoggedError = { type: error.name, message: error.message }
  const { stack = '' } = error
  logged.stack = stack
  if (error instanceof DrizzleQueryError) {
    // Its own message, with which the stack begins, contains the query's values.
    logged.message = `Failed query: ${error.query}`
    logged.stack = stack.slice(Math.max(0, stack.indexOf('\n    at ')))
  }
  if ('code' in error && error.code !== undefined) logged.code = String(error.code)
  if (error.cause !== undefined && causes < MAX_CAUSES) logged.cause = errorForLog(error.cause, causes + 1)
  return logged
}
