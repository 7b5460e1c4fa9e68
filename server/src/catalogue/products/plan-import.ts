import { isDeepStrictEqual } from 'node:util'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { EXAMPLE } from '@befaqt/domain/csv-cells'
import { titleKey } from '@befaqt/domain/page-paths'
import { preparationsError } from '@befaqt/domain/preparation'
import type { z } from 'zod'
import { productColumns } from '#server/catalogue/columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { toValidationError } from '#server/http/errors.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { nearestTitle } from './nearest-title.ts'
import type { BadRow, CsvRow } from './product-csv.ts'
import { typedColumns } from './product-form.ts'
import { batched, type ProductRow } from './read-products.ts'
import type { RowChange } from './write-many.ts'

/** Bad rows in the report. */
export const MAX_BAD_ROWS = 1_000

/** The changes of an import. `rows` is for the report; `created` and `changed` are for the database. */
export type ImportPlan = {
  created: ProductInput[]
  changed: RowChange[]
  unchanged: number
  examples: number
  rows: ImportReport['rows']
  bad: BadRow[]
}

/** The state before an import: products by id, and titles of categories by id. */
export type Present = { products: ReadonlyMap<string, ProductRow>; categories: ReadonlyMap<string, string> }

/** Categories that a file has otherwise, each with the title that it is said to mean. */
export type Meant = readonly (readonly [typed: string, title: string])[]

/** Compares a file with the current state. Writes nothing. Every bad row is reported with its line. */
export async function planImport(
  file: readonly CsvRow[],
  present: Present,
  meant: Meant,
): Promise<ImportPlan> {
  const plan: ImportPlan = { created: [], changed: [], unchanged: 0, examples: 0, rows: [], bad: [] }
  const byTitle = new Map([...present.categories].map(([id, title]) => [titleKey(title), id]))
  const around: Around = {
    present,
    byTitle,
    seen: new Set(),
    meant: new Map(meant.map(([typed, title]) => [titleKey(typed), title])),
    unknown: new Map(),
  }
  for await (const part of batched(file)) planPart(plan, part, around)
  return plan
}

/**
 * `seen`: ids of the rows before; `meant`: titles by the key of what is typed; `unknown`: what is said of a category that
 * there is not, looked for once.
 */
type Around = {
  present: Present
  byTitle: ReadonlyMap<string, string>
  seen: Set<string>
  meant: ReadonlyMap<string, string>
  unknown: Map<string, Unknown>
}

type Unknown = Pick<BadRow, 'message' | 'nearest'>

function planPart(plan: ImportPlan, part: readonly CsvRow[], around: Around): void {
  const { present, byTitle, seen } = around
  for (const row of part) {
    const { _id = '', version = '', category: typed, ...cells } = row.cells
    const category = typed === undefined ? undefined : meantBy(typed, around)
    const categoryId = category === undefined ? undefined : byTitle.get(titleKey(category))
    const fields = {
      ...coerceFormFields({ typed: false, body: cells }, typedColumns),
      ...(category !== undefined && { category_id: categoryId ?? '' }),
    }
    const before = present.products.get(_id)
    if (_id === '' && cells.title?.startsWith(EXAMPLE)) plan.examples++
    else if (category !== undefined && categoryId === undefined)
      plan.bad.push({ line: row.line, path: 'category', ...noCategory(category, around) })
    else if (_id === '') planNew(plan, row.line, fields, present)
    else if (seen.has(_id)) plan.bad.push({ line: row.line, path: '_id', message: 'is in this file twice' })
    else if (before === undefined)
      plan.bad.push({ line: row.line, path: '_id', message: 'There is no such product' })
    else planChange(plan, row.line, { before, fields, version }, present)
    seen.add(_id)
  }
}

/** A category that there is means itself, whatever was said of it while there was none. */
const meantBy = (typed: string, { byTitle, meant }: Around): string =>
  byTitle.has(titleKey(typed)) ? typed : (meant.get(titleKey(typed)) ?? typed)

/** Of what is longer, none is named: no title is nearly so long. */
const MAX_TYPED = 120

/** The nearest title is named and never taken: somebody says that it is meant, or mends the file. */
function noCategory(typed: string, { present: { categories }, unknown }: Around): Unknown {
  const said = unknown.get(typed)
  if (said !== undefined) return said
  const isLookedFor = unknown.size < MAX_BAD_ROWS && typed.length <= MAX_TYPED
  const title = isLookedFor ? nearestTitle(typed, [...categories.values()]) : undefined
  const message = `There is no category “${typed.slice(0, 60)}”`
  const answer: Unknown =
    title === undefined
      ? { message }
      : { message: `${message}. Did you mean “${title}”?`, nearest: { typed, title } }
  // Past this many, nobody reads the others' answers: the report ends there too.
  if (unknown.size < MAX_BAD_ROWS) unknown.set(typed, answer)
  return answer
}

/**
 * An empty cell means the default of a new product. It comes in INACTIVE where the file says ACTIVE or nothing: a file
 * has no pictures, and what is on sale has one. Somebody adds it and then sets the product ACTIVE.
 */
function planNew(plan: ImportPlan, line: number, fields: object, { categories }: Present): void {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const parsed = ProductInput.safeParse(given)
  if (!parsed.success) {
    addBad(plan, line, parsed.error)
    return
  }
  const error = preparationsError(parsed.data)
  if (error !== null) {
    plan.bad.push({ line, path: 'preparations', message: error })
    return
  }
  const made: ProductInput = {
    ...parsed.data,
    status: parsed.data.status === 'ACTIVE' ? 'INACTIVE' : parsed.data.status,
  }
  plan.created.push(made)
  const { category_id, ...rest } = made
  const after = { ...rest, category: categories.get(category_id) ?? '' }
  const diff = Object.fromEntries(Object.entries(after).map(([name, to]) => [name, { from: null, to }]))
  plan.rows.push({ line, _id: null, title: parsed.data.title, diff })
}

type Asked = { before: ProductRow; fields: object; version: string }

function planChange(plan: ImportPlan, line: number, asked: Asked, { categories }: Present): void {
  const parsed = ProductPatch.safeParse(asked.fields)
  if (!parsed.success) {
    addBad(plan, line, parsed.error)
    return
  }
  const { before } = asked
  const after: ProductRow = { ...before, ...storedColumns(productColumns, parsed.data) }
  const diff = differences(before, after, categories)
  if (Object.keys(diff).length === 0) {
    plan.unchanged++
    return
  }
  if (asked.version !== '' && asked.version !== String(before.version)) {
    plan.bad.push({ line, path: 'version', message: 'Somebody else changed this product after the export' })
    return
  }
  const error = preparationsError(after)
  if (error !== null) {
    plan.bad.push({ line, path: 'preparations', message: error })
    return
  }
  plan.changed.push({ before, after })
  plan.rows.push({ line, _id: before.id, title: before.title, diff })
}

function differences(before: ProductRow, after: ProductRow, categories: Present['categories']) {
  const was = named(before, categories)
  const is = named(after, categories)
  return Object.fromEntries(
    Object.keys(was)
      .filter((name) => !isDeepStrictEqual(was[name], is[name]))
      .map((name) => [name, { from: was[name], to: is[name] }]),
  )
}

/** A row by column headings. */
function named(row: ProductRow, categories: Present['categories']): Record<string, unknown> {
  const { category_id: _, ...rest } = shownFields(productColumns, row)
  return { ...rest, category: categories.get(row.categoryId) }
}

function addBad(plan: ImportPlan, line: number, error: z.ZodError): void {
  for (const { path, message } of toValidationError(error).fields)
    plan.bad.push({ line, path: path === 'category_id' ? 'category' : path, message })
}
