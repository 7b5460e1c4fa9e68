/**
 * Files of loggers are read in a thread of their own, which is ended after some seconds: no file, however it was made,
 * holds up the requests of others. This module is both sides: what asks, and, in the thread, what answers.
 */

import { hash } from 'node:crypto'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import {
  type ColumnMap,
  type FileLine,
  type FilePreview,
  guessLayout,
  type LineReading,
  readLines,
} from '@befaqt/domain/device-formats/logger-file'
import { ShopError } from '@befaqt/domain/errors'
import { CsvError, parse } from 'csv-parse/sync'

type Task =
  | { kind: 'preview'; bytes: Uint8Array; told: ToldLayout }
  | { kind: 'read'; bytes: Uint8Array; map: ColumnMap; serial: string }
/** `refused`: a sentence for whoever sent the file. */
type Answer = { made: FilePreview | ReadFile } | { refused: string }

/** A file of a megabyte takes less than one second on a busy machine. */
const DEADLINE_MS = 10_000
const TOO_LONG = 'This file takes too much to read. Is it one of a logger?'
/** In MB. A file of a megabyte needs some 30. */
const LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * What is in a file. Its delimiter and the line of its headings are given, or else guessed as far as possible.
 * @throws ShopError `input.invalid` for a file of something else
 */
export const previewFile = (bytes: Uint8Array, told: ToldLayout): Promise<FilePreview> =>
  inThread<FilePreview>({ kind: 'preview', bytes, told })

/** As `readCsv`. @throws ShopError `input.invalid` */
export const readFile = (bytes: Uint8Array, map: ColumnMap, serial: string): Promise<ReadFile> =>
  inThread<ReadFile>({ kind: 'read', bytes, map, serial })

async function inThread<Made extends FilePreview | ReadFile>(task: Task): Promise<Made> {
  const thread = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits: LIMITS })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve({ refused: TOO_LONG }), DEADLINE_MS)
  thread.once('message', resolve).once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ refused: TOO_LONG })
    else reject(error)
  })
  try {
    const answer = await promise
    if ('refused' in answer) throw new ShopError('input.invalid', answer.refused)
    return answer.made as Made
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function answerTo(task: Task): Answer {
  try {
    return {
      made:
        task.kind === 'preview'
          ? previewCsv(task.bytes, task.told)
          : readCsv(task.bytes, task.map, task.serial),
    }
  } catch (error) {
    if (error instanceof ShopError) return { refused: error.message }
    throw error
  }
}

/** Readings of one file: two weeks at one a minute. */
const MAX_LINES = 20_000
const SHOWN_ROWS = 5
/** Columns of a file: many times those of any logger. */
const MAX_COLUMNS = 100
/** Characters of a cell, likewise. */
const MAX_CELL = 200
const NO_FILE_OF_A_LOGGER =
  'No line of this file holds a date and a number under headings: this is not a logger’s file.'

/** What separates the columns of a file, and where its headings are. */
type Layout = Pick<ColumnMap, 'delimiter' | 'headerLine'>
/** As much of it as whoever sends the file said. */
type ToldLayout = { [Key in keyof Layout]?: Layout[Key] | undefined }

/** A file of a logger as it came: its SHA-256, and its text. */
type LoggerFile = { sha256: string; text: string }

/** @throws ShopError `input.invalid` for an empty file and for one with bytes that no text has */
function openLoggerFile(bytes: Uint8Array): LoggerFile {
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

/**
 * The lines of a file, each with its number.
 * @throws ShopError `input.invalid` when it can't be read as CSV, or has a cell that no logger writes
 */
function splitLines({ text }: LoggerFile, delimiter: ColumnMap['delimiter']): FileLine[] {
  try {
    const found: FileLine[] = []
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.length > MAX_CELL))
          throw new ShopError('input.invalid', `Line ${lines}: a cell has more than ${MAX_CELL} characters.`)
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

/**
 * What is in a file. Its delimiter and the line of its headings are given, or else guessed as far as possible.
 * @throws ShopError `input.invalid` for a file of something else
 */
function previewCsv(bytes: Uint8Array, told: ToldLayout): FilePreview {
  const file = openLoggerFile(bytes)
  const layout = layoutOf(file, told)
  const lines = splitLines(file, layout.delimiter)
  const below = lines.filter(({ line }) => line > layout.headerLine)
  const headings = lines.find(({ line }) => line === layout.headerLine)?.cells ?? []
  const columns = Math.max(headings.length, ...below.slice(0, SHOWN_ROWS).map(({ cells }) => cells.length))
  if (columns > MAX_COLUMNS)
    throw new ShopError('input.invalid', `This file has ${columns} columns: at most ${MAX_COLUMNS} are read.`)
  return {
    sha256: file.sha256,
    ...layout,
    headings: headings.map((cell) => cell.trim()),
    rows: below.slice(0, SHOWN_ROWS).map(({ cells }) => [...cells]),
    lines: below.length,
  }
}

function layoutOf(file: LoggerFile, { delimiter, headerLine }: ToldLayout): Layout {
  const known = delimiter !== undefined && headerLine !== undefined ? { delimiter, headerLine } : null
  const seen =
    known ?? guessLayout((tried) => (delimiter && tried !== delimiter ? [] : splitLines(file, tried)))
  if (seen === null) throw new ShopError('input.invalid', NO_FILE_OF_A_LOGGER)
  return { ...seen, ...(headerLine && { headerLine }) }
}

/** A file whose lines below the headings were read. */
type ReadFile = { sha256: string; lines: readonly LineReading[] }

/**
 * Reads every line of a file as a reading. @param serial of the logger, where the file holds none
 * @throws ShopError `input.invalid` for a file of something else, and for more than 20,000 lines
 */
function readCsv(bytes: Uint8Array, map: ColumnMap, serial: string): ReadFile {
  const file = openLoggerFile(bytes)
  const lines = readLines(splitLines(file, map.delimiter), map, serial)
  if (typeof lines === 'string') throw new ShopError('input.invalid', lines)
  if (lines.length > MAX_LINES)
    throw new ShopError('input.invalid', `${lines.length} lines are too many: at most ${MAX_LINES} at once.`)
  return { sha256: file.sha256, lines }
}

if (!isMainThread && parentPort !== null) parentPort.postMessage(answerTo(workerData))
