import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import * as endpoints from '@befaqt/domain/api/endpoints/managed-catalogue'
import { ImportReport } from '@befaqt/domain/api/manage-api'
import { ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { EXAMPLE } from '@befaqt/domain/csv-cells'
import { ShopError } from '@befaqt/domain/errors'
import { titleKey } from '@befaqt/domain/page-paths'
import { preparationsError } from '@befaqt/domain/preparation'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories } from '#server/db/schema/shop.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { toValidationError } from '#server/http/errors.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { nearestTitle } from './nearest-title.ts'
import { type BadRow, type CsvRow, exportProducts, readCsv } from './product-csv.ts'
import { typedColumns } from './product-form.ts'
import { batched, type ProductRow } from './read-products.ts'
import { assertUnitsFree } from './unit-in-use.ts'
import { insertMany, type RowChange, writeMany } from './write-many.ts'

const CSV = 'text/csv'

const productCsvOperations = defineRoutes(endpoints, {
  exportProducts: {
    summary: 'All products as CSV.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    responses: { 200: CSV },
  },
  importProducts: {
    summary: 'Import products from CSV: all rows or none; bad ones are reported by line.',
    access: { right: 'shop:write', allBoxes: true },
    limits: 'file',
    query: z.object({ dryRun: z.string().default('0').describe('1: only report what would change') }),
    body: rawBody({ [CSV]: null }),
    responses: { 200: ImportReport },
    errors: [404],
  },
})

/** Export and import of products as CSV. */
export function productCsvRoutes(app: FastifyInstance, deps: CatalogueWriter & { now: () => Date }): void {
  app.addContentTypeParser(CSV, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  registerRoute(app, productCsvOperations.exportProducts, ({ reply }) => {
    const day = deps.now().toISOString().slice(0, 10)
    reply.header('content-disposition', `attachment; filename="products-${day}.csv"`)
    return reply
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportProducts(deps.db)))
  })
  registerRoute(app, productCsvOperations.importProducts, ({ principal, query, request }) => {
    if (!Buffer.isBuffer(request.body))
      throw new ShopError('input.media_type', 'A file of the type text/csv is needed.')
    return importProducts(deps, principal, textOf(request.body), { dryRun: query.dryRun !== '0' })
  })
}

/** @throws ShopError `input.invalid` unless it is UTF-8: guessing the encoding would garble names */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ShopError('input.invalid', 'The file is not UTF-8. Save it as “CSV UTF-8”.', { cause })
  }
}

const MAX_ROWS = 20_000
/** Bad rows in the report. */
const MAX_BAD_ROWS = 1_000

/**
 * Imports a file of products: all of it, or nothing when a row is bad. With `dryRun` nothing is written and the report
 * says what would be.
 * @throws ShopError `input.invalid`, details `{ report }`
 */
export async function importProducts(
  deps: CatalogueWriter & { now: () => Date },
  principal: Principal,
  text: string,
  { dryRun }: { dryRun: boolean },
): Promise<ImportReport> {
  const { rows: file, bad } = await readCsv(text)
  if (file.length > MAX_ROWS)
    throw new ShopError('input.too_large', `A file may have at most ${MAX_ROWS} products.`)
  const report = await changeCatalogue(
    deps,
    async (tx) => {
      const titles = await tx
        .select({ id: categories.id, title: categories.title })
        .from(categories)
        .orderBy(inByteOrder(categories.id))
        .for('key share')
      const [products] = await lock(tx).products(file.flatMap(({ cells }) => cells._id ?? []))
      const plan = await planImport(file, {
        products,
        categories: new Map(titles.map(({ id, title }) => [id, title])),
      })
      await assertUnitsFree(tx, plan.changed)
      const report = reportOf(plan, bad, dryRun)
      if (report.applied) await writePlan(tx, principal, plan, deps.now())
      return report
    },
    ({ applied }) => applied,
  )
  if (!dryRun && !report.applied)
    throw new ShopError('input.invalid', `Nothing was changed: ${report.bad.length} rows are bad.`, {
      details: { report },
    })
  return report
}

function reportOf(plan: ImportPlan, unreadable: readonly BadRow[], dryRun: boolean): ImportReport {
  const bad = [...unreadable, ...plan.bad].sort((a, b) => a.line - b.line)
  return {
    created: plan.created.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
    examples: plan.examples,
    rows: plan.rows,
    bad: bad.slice(0, MAX_BAD_ROWS),
    applied: !dryRun && bad.length === 0,
  }
}

async function writePlan(tx: CatalogueTx, principal: Principal, plan: ImportPlan, now: Date): Promise<void> {
  await writeMany(tx, actorId(principal), plan.changed, now)
  const made = plan.created.map((input) => ({ ...storedColumns(productColumns, input), id: randomUUID() }))
  await insertMany(tx, actorId(principal), made, now)
}

/** The changes of an import. `rows` is for the report; `created` and `changed` are for the database. */
type ImportPlan = {
  created: ProductInput[]
  changed: RowChange[]
  unchanged: number
  examples: number
  rows: ImportReport['rows']
  bad: BadRow[]
}

/** The state before an import: products by id, and titles of categories by id. */
type Present = { products: ReadonlyMap<string, ProductRow>; categories: ReadonlyMap<string, string> }

/** Compares a file with the current state. Writes nothing. Every bad row is reported with its line. */
async function planImport(file: readonly CsvRow[], present: Present): Promise<ImportPlan> {
  const plan: ImportPlan = { created: [], changed: [], unchanged: 0, examples: 0, rows: [], bad: [] }
  const byTitle = new Map([...present.categories].map(([id, title]) => [titleKey(title), id]))
  const seen = new Set<string>()
  for await (const part of batched(file)) planPart(plan, part, { present, byTitle, seen, unknown: new Map() })
  return plan
}

/** `seen`: ids of the rows before; `unknown`: what is said of a category that there is not, looked for once. */
type Around = {
  present: Present
  byTitle: ReadonlyMap<string, string>
  seen: Set<string>
  unknown: Map<string, string>
}

function planPart(
  plan: ImportPlan,
  part: readonly CsvRow[],
  { present, byTitle, seen, unknown }: Around,
): void {
  for (const row of part) {
    const { _id = '', version = '', category, ...cells } = row.cells
    const categoryId = category === undefined ? undefined : byTitle.get(titleKey(category))
    const fields = {
      ...coerceFormFields({ typed: false, body: cells }, typedColumns),
      ...(category !== undefined && { category_id: categoryId ?? '' }),
    }
    const before = present.products.get(_id)
    if (_id === '' && cells.title?.startsWith(EXAMPLE)) plan.examples++
    else if (category !== undefined && categoryId === undefined)
      plan.bad.push({ line: row.line, path: 'category', message: noCategory(category, present, unknown) })
    else if (_id === '') planNew(plan, row.line, fields, present)
    else if (seen.has(_id)) plan.bad.push({ line: row.line, path: '_id', message: 'is in this file twice' })
    else if (before === undefined)
      plan.bad.push({ line: row.line, path: '_id', message: 'There is no such product' })
    else planChange(plan, row.line, { before, fields, version }, present)
    seen.add(_id)
  }
}

/** Never taken as meant: the title in the file is for somebody to mend. */
function noCategory(category: string, { categories }: Present, unknown: Map<string, string>): string {
  const said = unknown.get(category)
  if (said !== undefined) return said
  const nearest = unknown.size < MAX_BAD_ROWS ? nearestTitle(category, [...categories.values()]) : undefined
  const asked = nearest === undefined ? '' : `. Did you mean “${nearest}”?`
  const message = `There is no category “${category.slice(0, 60)}”${asked}`
  // Past this many, nobody reads the others' answers: the report ends there too.
  if (unknown.size < MAX_BAD_ROWS) unknown.set(category, message)
  return message
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
