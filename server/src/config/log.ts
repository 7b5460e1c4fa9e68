import { DrizzleQueryError } from 'drizzle-orm'
import pino, { type DestinationStream, type Logger } from 'pino'

/** One JSON object a line, on standard output unless `to` is given. @param more what traces add to lines */
export const openLog = (level: string, to?: DestinationStream, more?: MoreOfLines): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorForLog(error) },
      ...(more && { mixin: more.ids }),
    },
    more?.lines === undefined ? to : alsoTo(to ?? pino.destination(1), more.lines.take),
  )

/** What traces add: names of the span in whose course a line is written, and where else lines go. */
type MoreOfLines = { ids(): object; lines: { take(line: string): void } | undefined }

const alsoTo = (to: DestinationStream, take: (line: string) => void): DestinationStream => ({
  write: (line) => {
    to.write(line)
    take(line)
  },
})

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
