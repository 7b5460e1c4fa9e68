import { type ColumnMap, type FilePreview, type NamedColumnMap, withoutUnit } from './logger-file.ts'

const DAY = /^\s*\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}/
const CLOCK = /\d{1,2}:\d{2}/
const NUMBER = /^[-+−]?\d+(?:[.,]\d+)?$/
const TEMPERATURE = /temp|°|celsius|fahrenheit/i
const SERIAL = /serial|s\/n|\b(logger|device|sensor)\s*(id|no)\b/i

type Found = { heading: string; cells: readonly string[] }

/** Columns with a heading, each with what the first lines have in it; of two of one name the first, as it is read. */
function columnsOf({ headings, rows }: FilePreview): Found[] {
  return headings.flatMap((heading, i) =>
    heading === '' || headings.indexOf(heading) < i
      ? []
      : [{ heading, cells: rows.map((row) => row[i] ?? '').filter((cell) => cell.trim() !== '') }],
  )
}

const all = ({ cells }: Found, ...patterns: readonly RegExp[]): boolean =>
  cells.length > 0 && cells.every((cell) => patterns.every((pattern) => pattern.test(cell)))

/** A guess at how the columns of a file are read, from its headings and first lines; empty where there is no clue. */
export function guessColumns(preview: FilePreview, zone: string): ColumnMap {
  const columns = columnsOf(preview)
  const whole = columns.find((column) => all(column, DAY, CLOCK))
  const day = whole ?? columns.find((column) => all(column, DAY))
  const clock = whole ?? columns.find((column) => column !== day && all(column, CLOCK))
  const numbers = columns.filter(
    (column) =>
      column !== day &&
      column !== clock &&
      column.cells.length > 0 &&
      column.cells.every((cell) => NUMBER.test(withoutUnit(cell))),
  )
  const value = numbers.find(({ heading }) => TEMPERATURE.test(heading))
  const { delimiter, headerLine } = preview
  return {
    delimiter,
    headerLine,
    time: clock?.heading ?? '',
    date: whole === undefined && clock !== undefined ? (day?.heading ?? '') : '',
    order: orderOf(day?.cells ?? [], clock?.cells ?? []),
    zone,
    value: value?.heading ?? '',
    unit: isFahrenheit(value) ? 'F' : 'C',
    decimal: value?.cells.some((cell) => cell.includes(',')) ? ',' : '.',
    serial: columns.find(({ heading }) => SERIAL.test(heading))?.heading ?? '',
  }
}

const isFahrenheit = (value: Found | undefined): boolean =>
  value !== undefined &&
  (/°\s*F|fahrenheit|\(F\)/i.test(value.heading) || value.cells.some((cell) => /F\s*$/i.test(cell)))

/** By numbers that can't be a month; without one, "AM" and "PM" mean that the month is first, else the day is. */
function orderOf(days: readonly string[], clocks: readonly string[]): ColumnMap['order'] {
  const parts = days.map((cell) =>
    cell
      .trim()
      .split(/[-/. ]/)
      .map(Number),
  )
  if (days.some((cell) => /^\s*\d{4}/.test(cell))) return 'ymd'
  if (parts.some(([first = 0]) => first > 12)) return 'dmy'
  if (parts.some(([, second = 0]) => second > 12)) return 'mdy'
  return clocks.some((cell) => /[ap]\.?m/i.test(cell)) ? 'mdy' : 'dmy'
}

/** Saved maps whose columns this file has, with the line in which it has them. */
export function fittingMaps(preview: FilePreview, saved: readonly NamedColumnMap[]): NamedColumnMap[] {
  const { delimiter, headerLine, headings } = preview
  return saved
    .filter(
      ({ map }) =>
        map.delimiter === delimiter &&
        [map.time, map.date, map.value, map.serial].every((name) => name === '' || headings.includes(name)),
    )
    .map(({ name, map }) => ({ name, map: { ...map, headerLine } }))
}
