import { pipeline } from 'node:stream/promises'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { csvHeader, csvRows, readCell } from '@befaqt/domain/csv-cells'
import { CsvError, parse } from 'csv-parse'
import { eq, type SQL } from 'drizzle-orm'
import { productColumns } from '#server/catalogue/columns.ts'
import type { Db } from '#server/db/client.ts'
import { cellsOf, headingsOf, shownFields } from '#server/db/column-map.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { byTitle, everyProduct, type ProductRow } from './read-products.ts'

/**
 * Columns of a product file. `category` is the category's title; `_id` and `version` are empty for a new product.
 * `pictures` names files that come along, or addresses, to be added to those that the product has: it is exported empty.
 */
export const csvColumns: readonly string[] = ['_id', ...headingsOf(productColumns), 'version', 'pictures']

/** The names in a cell of pictures, the first is shown first. No system has this sign in a file's name. */
export const pictureNames = (cell: string): string[] =>
  cell
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** All products as CSV (RFC 4180, UTF-8 with a byte order mark for spreadsheets), by title, without images. */
export async function* exportProducts(db: Db): AsyncGenerator<string> {
  yield csvHeader(csvColumns)
  for await (const part of everyProduct(db, (some) => readLines(db, some))) yield csvRows(part.map(lineOf))
}

type Line = { row: ProductRow; category: string }

const readLines = (db: Db, some: SQL): Promise<Line[]> =>
  db
    .select({ row: products, category: categories.title })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(some)
    .orderBy(...byTitle)

function lineOf({ row, category }: Line): string[] {
  const fields = cellsOf(productColumns, shownFields(productColumns, row))
  const cells = { ...fields, category, _id: row.id, version: String(row.version) }
  return csvColumns.map((name) => (cells as Record<string, string>)[name] ?? '')
}

/** One row of a file: its first line, counted from 1, and its cells by column; or its error. */
export type CsvRow = { line: number; cells: Partial<Record<string, string>> }
export type BadRow = ImportReport['bad'][number]

/** Parses a product file. Syntax errors are reported by line; the caller validates the cells. */
export async function readCsv(text: string): Promise<{ rows: CsvRow[]; bad: BadRow[] }> {
  try {
    const [header, ...records] = await recordsOf(text)
    const bad =
      header === undefined ? [{ line: 1, path: '', message: 'the file is empty' }] : oddNames(header)
    if (header === undefined || bad.length > 0) return { rows: [], bad }
    return rowsOf(header.cells, records)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : 1
    return { rows: [], bad: [{ line, path: '', message: 'this line is not readable as CSV' }] }
  }
}

type Parsed = { line: number; cells: string[] }

/**
 * Every record with its first line: it begins where the previous one ended, after empty lines. csv-parse 7 counts a
 * CRLF inside a cell as two lines, which is corrected here.
 */
async function recordsOf(text: string): Promise<Parsed[]> {
  const records: Parsed[] = []
  let ended = 0
  let empty = 0
  let twice = 0
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (cells: string[], { lines, empty_lines }) => {
      records.push({ line: ended + 1 + empty_lines - empty, cells })
      twice += cells.join(' ').split('\r\n').length - 1
      ended = lines - twice
      empty = empty_lines
      return null
    },
  })
  await pipeline(piecesOf(Buffer.from(text)), parser.resume())
  return records
}

/** Bytes per chunk. */
const PIECE = 64 * 1024

/** Splits `bytes` into chunks and yields to the event loop between them. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE) {
    yield bytes.subarray(from, from + PIECE)
    await yieldToEventLoop()
  }
}

function oddNames({ cells }: Parsed): BadRow[] {
  return cells.flatMap((name, i) => {
    if (!csvColumns.includes(name))
      return [{ line: 1, path: name.slice(0, 40), message: 'is not a known column' }]
    return cells.indexOf(name) < i ? [{ line: 1, path: name, message: 'is there twice' }] : []
  })
}

function rowsOf(names: readonly string[], records: readonly Parsed[]) {
  const rows: CsvRow[] = []
  const bad: BadRow[] = []
  for (const { line, cells } of records) {
    if (cells.length === names.length)
      rows.push({ line, cells: Object.fromEntries(names.map((name, i) => [name, readCell(cells[i] ?? '')])) })
    else
      bad.push({ line, path: '', message: `has ${cells.length} cells where the header has ${names.length}` })
  }
  return { rows, bad }
}
