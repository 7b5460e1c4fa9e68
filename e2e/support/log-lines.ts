import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'

/** One line of the server's log. Levels are pino's: 30 info, 40 warn, 50 error, 60 fatal. */
export type LogLine = { level: number; msg: string } & Record<string, unknown>

/** The server's log as it is written. */
export type Log = {
  /** Every line so far. */
  lines: LogLine[]
  /** The first line that matches `is`, among past and future ones. */
  first(is: (line: LogLine) => boolean): Promise<LogLine>
  /** Lines of level error and above. */
  errors(): LogLine[]
}

/** Parses a stream of JSON lines. A line that is not JSON gets level 0. */
export function readLog(stream: Readable): Log {
  const lines: LogLine[] = []
  const news = new EventEmitter().setMaxListeners(0)
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = parse(part)
      lines.push(line)
      news.emit('line', line)
    }
  })
  const first = (is: (line: LogLine) => boolean): Promise<LogLine> => {
    const { promise, resolve } = Promise.withResolvers<LogLine>()
    const check = (line: LogLine): void => {
      if (!is(line)) return
      news.off('line', check)
      resolve(line)
    }
    news.on('line', check)
    const known = lines.find(is)
    if (known) check(known)
    return promise
  }
  return { lines, first, errors: () => lines.filter((line) => line.level >= 50) }
}

function parse(text: string): LogLine {
  try {
    return JSON.parse(text)
  } catch {
    return { level: 0, msg: text }
  }
}
