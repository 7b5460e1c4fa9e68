/** A column of measurements: what it is called, and between which values it stayed. */
export type SensingColumn = { name: string; min: number; max: number }

/** What is recognised in a data file of an e-nose. `seconds`: from the first to the last row, null without a time. */
export type SensingData = { columns: SensingColumn[]; rows: number; seconds: number | null }

const MAX_COLUMNS = 64

/** Whether what was decoded as UTF-8 is a data file: binary ones decode, too, when they happen to have no bad byte. */
export const isSensingText = (text: string): boolean => text !== '' && !text.includes('\0')

const TIME = /^(t|time|seconds?|time_?s|elapsed.*)$/i
const delimiters = [',', ';', '\t'] as const

/**
 * Recognises a table of measurements: a line of names, then lines of as many numbers. Null where a file holds none: it may
 * still be the data of some instrument.
 */
export function readSensingData(text: string): SensingData | null {
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const delimiter = delimiters.find((one) => head.includes(one))
  if (delimiter === undefined) return null
  const names = head.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  if (names.length > MAX_COLUMNS || names.every((name) => isNumber(name))) return null
  const table = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()))
  if (table.length === 0 || table.some((row) => row.length !== names.length || !row.every(isNumber)))
    return null
  const timeAt = names.findIndex((name) => TIME.test(name))
  const valuesOf = (column: number): number[] => table.map((row) => Number(row[column]))
  const columns = names.flatMap((name, i) => (i === timeAt ? [] : [{ name, ...rangeOf(valuesOf(i)) }]))
  if (columns.length === 0) return null
  const times = timeAt < 0 ? null : rangeOf(valuesOf(timeAt))
  return { columns, rows: table.length, seconds: times && times.max - times.min }
}

const isNumber = (cell: string): boolean => cell !== '' && Number.isFinite(Number(cell))

/** Not by spreading: a long list does not fit into arguments. */
function rangeOf(values: readonly number[]): { min: number; max: number } {
  let [min, max] = [Infinity, -Infinity]
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { min, max }
}
