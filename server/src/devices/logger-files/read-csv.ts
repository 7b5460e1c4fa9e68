import { hash } from 'node:crypto'
import type { ColumnMap, FileLine } from '@befaqt/domain/device-formats/logger-file'
import { ShopError } from '@befaqt/domain/errors'
import { CsvError, parse } from 'csv-parse/sync'

/** A file of a logger as it came: its SHA-256, and its text. */
export type LoggerFile = { sha256: string; text: string }

/** @throws ShopError `input.invalid` for an empty file and for one with bytes that no text has */
export function openLoggerFile(bytes: Uint8Array): LoggerFile {
  const text = textOf(bytes)
  if (text.trim() === '') throw new ShopError('input.invalid', 'This file is empty.')
  if (text.includes('\0')) throw new ShopError('input.invalid', 'This file is not text. Export it as CSV.')
  return { sha256: hash('sha256', bytes), text }
}

/** Programs of loggers write UTF-16 with a byte order mark, UTF-8, or what Windows had before. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The lines of a file, each with its number. @throws ShopError `input.invalid` when it can't be read as CSV */
export function splitLines({ text }: LoggerFile, delimiter: ColumnMap['delimiter']): FileLine[] {
  try {
    const found: FileLine[] = []
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        found.push({ line: lines, cells })
        return null
      },
    })
    return found
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new ShopError('input.invalid', 'This file is not readable as CSV.', { cause })
  }
}
