import { z } from 'zod'
import { mustBe, oneLine } from '../box-values.ts'
import { line, schemaNames } from '../fields.ts'
import { instantOf, isSkippedTime } from '../market-time.ts'

const Heading = oneLine(100)

/** Is this a zone that clocks are computed with? */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** How the columns of a logger's file are read; saved by name, as each maker's files look alike. */
export const ColumnMap = z
  .strictObject({
    delimiter: z.enum([',', ';', '\t'], { error: 'choose what separates the columns' }),
    /** Line that holds the headings, from 1: what is before it is left out. */
    headerLine: z.int(mustBe('a whole number')).min(1, 'must be at least 1').max(200, 'must be at most 200'),
    /** Heading of the time, or of the time of day where `date` has the day. */
    time: Heading.min(1, 'choose the column of the time'),
    date: Heading,
    order: z.enum(['ymd', 'dmy', 'mdy'], { error: 'choose how a day is written' }),
    zone: z.string(mustBe('text')).max(60).refine(isZone, 'is not a time zone'),
    value: Heading.min(1, 'choose the column of the temperature'),
    unit: z.enum(['C', 'F'], { error: 'choose °C or °F' }),
    decimal: z.enum(['.', ','], { error: 'choose point or comma' }),
    /** Heading of the logger's serial number; empty: the file holds none. */
    serial: Heading,
  })
  .register(schemaNames, { id: 'ColumnMap' })
export type ColumnMap = z.infer<typeof ColumnMap>

/** A map with the name that it is chosen by. */
export const NamedColumnMap = z
  .strictObject({ name: line('name', 80), map: ColumnMap })
  .register(schemaNames, { id: 'NamedColumnMap' })
export type NamedColumnMap = z.infer<typeof NamedColumnMap>

/** A line of a file, with its number from 1. */
export type FileLine = { line: number; cells: readonly string[] }

/** A reading of a file, or why a line holds none. */
export type LineReading =
  | { line: number; iotID: string; time: string; temperature: number }
  | { line: number; path: string; message: string }

/**
 * The lines below the headings as readings: times in UTC, °C. @param serial of the logger, where the file holds none
 * @returns a sentence where the file is not one of this map
 */
export function readLines(
  lines: readonly FileLine[],
  map: ColumnMap,
  serial: string,
): LineReading[] | string {
  const header = lines.find(({ line }) => line === map.headerLine)
  const names = header?.cells.map((cell) => cell.trim()) ?? []
  const wanted = [map.time, map.value, map.date, map.serial].filter((name) => name !== '')
  const missing = wanted.filter((name) => !names.includes(name))
  if (missing.length > 0)
    return `Line ${map.headerLine} has no column ${missing.map((name) => `“${name}”`).join(', ')}. Is this the file of another logger?`
  const cellOf = (cells: readonly string[], name: string): string =>
    name === '' ? '' : (cells[names.indexOf(name)] ?? '').trim()
  return lines
    .filter(({ line, cells }) => line > map.headerLine && cells.some((cell) => cell.trim() !== ''))
    .map(({ line, cells }) => {
      const clock = `${cellOf(cells, map.date)} ${cellOf(cells, map.time)}`.trim()
      const time = timeOf(clock, map)
      if (typeof time === 'string') return { line, path: map.time, message: time }
      const temperature = celsiusOf(cellOf(cells, map.value), map)
      if (temperature === undefined) return { line, path: map.value, message: 'is not a number' }
      const iotID = cellOf(cells, map.serial) || serial.trim()
      if (iotID === '') return { line, path: map.serial || 'serial', message: 'names no logger' }
      return { line, iotID, time: new Date(time.at).toISOString(), temperature }
    })
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** A temperature as a logger writes it, without blanks around it and without its unit. */
export const withoutUnit = (cell: string): string =>
  cell
    .trim()
    .replace(/°?[CF]$/i, '')
    .trimEnd()

/** °C to hundredths where it was °F, else as written. */
function celsiusOf(cell: string, { decimal, unit }: ColumnMap): number | undefined {
  const text = withoutUnit(decimal === ',' ? cell.replace(',', '.') : cell).replace('−', '-')
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  return unit === 'C' ? value : Math.round(((value - 32) * 500) / 9) / 100
}

const CLOCK =
  /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap])?\.?m?\.?$/i

/**
 * The instant of a time as a logger writes it; a sentence where it is none. With an offset of its own it needs no zone.
 */
function timeOf(text: string, { order, zone }: ColumnMap): { at: number } | string {
  const own = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? instantOf(text.replace(' ', 'T'), zone) : undefined
  if (own !== undefined) return { at: own }
  const [, a = '', b = '', c = '', hour = '', minute = '', second = '00', half] = CLOCK.exec(text) ?? []
  const [year, month, day] = { ymd: [a, b, c], dmy: [c, b, a], mdy: [c, a, b] }[order]
  if (year === undefined || month === undefined || day === undefined || a === '') return 'is not a time'
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const two = (value: number | string): string => String(value).padStart(2, '0')
  const clock = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)} ${two(hours)}:${minute}:${second}`
  if (isSkippedTime(clock, zone)) return `does not exist: clocks in ${zone} went forward over it`
  const at = instantOf(clock, zone)
  return at === undefined ? 'is not a time' : { at }
}

/** A guess what separates the columns and where the headings are; null: nothing looks like readings. */
export function guessLayout(
  split: (delimiter: ColumnMap['delimiter']) => readonly FileLine[],
): { delimiter: ColumnMap['delimiter']; headerLine: number } | null {
  for (const delimiter of [';', '\t', ','] as const) {
    const lines = split(delimiter)
    const first = lines.findIndex(
      ({ cells }) => cells.length > 1 && cells.some(isDate) && cells.some(isNumber),
    )
    const header = lines[first - 1]
    if (header !== undefined && header.cells.length > 1) return { delimiter, headerLine: header.line }
  }
  return null
}

const isDate = (cell: string): boolean => /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(cell)
const isNumber = (cell: string): boolean => /^[+-]?\d+(?:[.,]\d+)?$/.test(withoutUnit(cell))

/** What is in a file before it is known how to read it. */
export const FilePreview = z
  .strictObject({
    sha256: z.string(),
    delimiter: ColumnMap.shape.delimiter,
    headerLine: z.int(),
    headings: z.array(z.string()),
    /** The first lines below the headings. */
    rows: z.array(z.array(z.string())),
    lines: z.int(),
  })
  .register(schemaNames, { id: 'FilePreview' })
export type FilePreview = z.infer<typeof FilePreview>

/** What became, or would become, of the lines of a file. */
export const FileReport = z
  .strictObject({
    sha256: z.string(),
    /** False: a dry run, nothing was stored. */
    applied: z.boolean(),
    accepted: z.int(),
    duplicates: z.int(),
    refused: z.int(),
    /** Every line that is refused. */
    bad: z.array(z.strictObject({ line: z.int(), path: z.string(), message: z.string() })),
    /** The first that can be read, as they are read. */
    sample: z.array(
      z.strictObject({ line: z.int(), iotID: z.string(), time: z.string(), temperature: z.number() }),
    ),
    /** The line after which to go on, where only some lines were asked for; null: there are no more. */
    next: z.int().nullable(),
    /** Of those that can be read; null: none can. */
    span: z.strictObject({ from: z.string(), to: z.string(), low: z.number(), high: z.number() }).nullable(),
  })
  .register(schemaNames, { id: 'FileReport' })
export type FileReport = z.infer<typeof FileReport>
