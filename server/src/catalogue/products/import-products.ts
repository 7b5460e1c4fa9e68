import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import * as endpoints from '@befaqt/domain/api/endpoints/managed-catalogue'
import { ImportReport } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/columns.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories } from '#server/db/schema/shop.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { type ImportPlan, MAX_BAD_ROWS, type Meant, planImport } from './plan-import.ts'
import { type BadRow, exportProducts, readCsv } from './product-csv.ts'
import { assertUnitsFree } from './unit-in-use.ts'
import { insertMany, writeMany } from './write-many.ts'

const CSV = 'text/csv'

/** Pairs as JSON, since a URL has no lists of them. */
const MeantQuery = z
  .string()
  .max(6_000)
  .default('[]')
  .describe('Categories that the file has otherwise, and which are meant: JSON, [["Fihs", "Fish"]]')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(z.tuple([z.string(), z.string()])).max(100))

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
    query: z.object({
      dryRun: z.string().default('0').describe('1: only report what would change'),
      meant: MeantQuery,
    }),
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
    const { meant } = query
    return importProducts(deps, principal, textOf(request.body), { dryRun: query.dryRun !== '0', meant })
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

/**
 * Imports a file of products: all of it, or nothing when a row is bad. With `dryRun` nothing is written and the report
 * says what would be.
 * @throws ShopError `input.invalid`, details `{ report }`
 */
export async function importProducts(
  deps: CatalogueWriter & { now: () => Date },
  principal: Principal,
  text: string,
  { dryRun, meant = [] }: { dryRun: boolean; meant?: Meant },
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
      const present = { products, categories: new Map(titles.map(({ id, title }) => [id, title])) }
      const plan = await planImport(file, present, meant)
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
