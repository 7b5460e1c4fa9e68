/* Cells and files of CSV, by one writer for all exports. */

/** What some reader of a file takes for the end of a line. */
const BREAK = '\\n\\r\\v\\f\\u0085\\u2028\\u2029'
/** What a spreadsheet takes for the beginning of a formula. Some read full-width, small and raised signs as plain ones. */
const SIGN = '=+\\-@\\t＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋'

/** The beginning of a formula in a line of a cell, with or without leading apostrophes. */
const FORMULA = new RegExp(`(?<=^|[${BREAK}])'*(?=[${SIGN}])`, 'g')
/** As FORMULA, marked by `safeCell`. */
const MARKED = new RegExp(`(?<=^|[${BREAK}])'('*)(?=[${SIGN}])`, 'g')
/** A cell that begins with a line break. */
const BREAKS_FIRST = new RegExp(`^'*[${BREAK}]`)
const BREAKS_FIRST_MARKED = new RegExp(`^''*[${BREAK}]`)

/**
 * Prefixes what looks like a formula with an apostrophe, in every line of the text, against CSV injection: a program
 * that splits lines without minding quotes finds none either. `readCell` removes it again.
 */
export function safeCell(text: string): string {
  const lines = text.replaceAll(FORMULA, "'$&")
  return BREAKS_FIRST.test(lines) ? `'${lines}` : lines
}

/** The inverse of `safeCell`: removes exactly one apostrophe of each. */
export function readCell(cell: string): string {
  const lines = BREAKS_FIRST_MARKED.test(cell) ? cell.slice(1) : cell
  return lines.replaceAll(MARKED, '$1')
}

/** What may stand without quotes: no separator of any locale, no quote, no line break. */
const PLAIN = new RegExp(`^[^",;\\t${BREAK}]*$`)

const quoted = (cell: string): string => (PLAIN.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`)

/** Null: an empty cell. Numbers stand as they are. */
export type CsvCell = string | number | null

/** Rows as CSV (RFC 4180, each ends with CRLF). Texts are safe from being run, and read back the same by `readCell`. */
export const csvRows = (rows: readonly (readonly CsvCell[])[]): string =>
  rows
    .map((cells) =>
      cells.map((cell) => (typeof cell === 'string' ? quoted(safeCell(cell)) : `${cell ?? ''}`)),
    )
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

/** What the title begins with of a line that only shows how a line is written: an import leaves it out. */
export const EXAMPLE = 'EXAMPLE, not imported: '

/**
 * A file of products to begin with: the columns of a new one that say most, and one line of example. Pictures are named
 * as their files in the ZIP are, or by addresses.
 */
export const productTemplate = (): string => {
  const example = {
    title: `${EXAMPLE}Snapper`,
    category: 'Fish',
    price: '24.50',
    unit: 'kg',
    stock: '10',
    origin: 'Australia',
    allergens: 'fish',
    description: 'Whole, line-caught',
    status: 'ACTIVE',
    pictures: 'snapper.jpg | https://example.com/snapper-side.jpg',
  }
  return csvHeader(Object.keys(example)) + csvRows([Object.values(example)])
}

/** The first line of a file, with the byte order mark by which spreadsheets know UTF-8. */
export const csvHeader = (names: readonly string[]): string => `\ufeff${csvRows([names])}`
