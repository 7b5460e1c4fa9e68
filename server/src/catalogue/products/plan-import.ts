import { isDeepStrictEqual } from 'node:util'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { titleKey } from '@befaqt/domain/page-paths'
import type { z } from 'zod'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { toValidationError } from '#server/http/errors.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { batched } from './batches.ts'
import type { RowChange } from './change-many.ts'
import type { BadRow, CsvRow } from './product-csv.ts'
import { typedColumns } from './product-form.ts'
import type { ProductRow } from './read-products.ts'

/** The changes of an import. `rows` is for the report; `created` and `changed` are for the database. */
export type ImportPlan = {
  created: ProductInput[]
  changed: RowChange[]
  unchanged: number
  rows: ImportReport['rows']
  bad: BadRow[]
}

/** The state before an import: products by id, and titles of categories by id. */
export type Present = { products: ReadonlyMap<string, ProductRow>; categories: ReadonlyMap<string, string> }

/** Compares a file with the current state. Writes nothing. Every bad row is reported with its line. */
export async function planImport(file: readonly CsvRow[], present: Present): Promise<ImportPlan> {
  const plan: ImportPlan = { created: [], changed: [], unchanged: 0, rows: [], bad: [] }
  const byTitle = new Map([...present.categories].map(([id, title]) => [titleKey(title), id]))
  const seen = new Set<string>()
  for await (const part of batched(file)) planPart(plan, part, { present, byTitle, seen })
  return plan
}

/** `seen`: ids of the rows before. */
type Around = { present: Present; byTitle: ReadonlyMap<string, string>; seen: Set<string> }

function planPart(plan: ImportPlan, part: readonly CsvRow[], { present, byTitle, seen }: Around): void {
  for (const row of part) {
    const { _id = '', version = '', category, ...cells } = row.cells
    const categoryId = category === undefined ? undefined : byTitle.get(titleKey(category))
    const fields = {
      ...coerceFormFields({ typed: false, body: cells }, typedColumns),
      ...(category !== undefined && { category_id: categoryId ?? '' }),
    }
    const before = present.products.get(_id)
    if (category !== undefined && categoryId === undefined)
      plan.bad.push({ line: row.line, path: 'category', message: 'There is no such category' })
    else if (_id === '') planNew(plan, row.line, fields, present)
    else if (seen.has(_id)) plan.bad.push({ line: row.line, path: '_id', message: 'is in this file twice' })
    else if (before === undefined)
      plan.bad.push({ line: row.line, path: '_id', message: 'There is no such product' })
    else planChange(plan, row.line, { before, fields, version }, present)
    seen.add(_id)
  }
}

/** An empty cell means the default of a new product. */
function planNew(plan: ImportPlan, line: number, fields: object, { categories }: Present): void {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const parsed = ProductInput.safeParse(given)
  if (!parsed.success) {
    addBad(plan, line, parsed.error)
    return
  }
  plan.created.push(parsed.data)
  const { category_id, ...rest } = parsed.data
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
