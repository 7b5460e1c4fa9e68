import { randomUUID } from 'node:crypto'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import type { ProductInput } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import { writeAuditEntries } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { rows } from '#server/db/client.ts'
import { insertFrom, shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories } from '#server/db/schema/shop.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { batched } from './batches.ts'
import { productRecord, writeMany } from './change-many.ts'
import { type ImportPlan, planImport } from './plan-import.ts'
import { type BadRow, readCsv } from './product-csv.ts'
import { assertUnitsFree } from './unit-in-use.ts'

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
    rows: plan.rows,
    bad: bad.slice(0, MAX_BAD_ROWS),
    applied: !dryRun && bad.length === 0,
  }
}

async function writePlan(tx: CatalogueTx, principal: Principal, plan: ImportPlan, now: Date): Promise<void> {
  await writeMany(tx, principal, plan.changed, now)
  for await (const part of batched(plan.created)) await insertPart(tx, principal, part, now)
}

/** One statement with one parameter: a parameter per cell takes three times as long to prepare. */
async function insertPart(
  tx: CatalogueTx,
  principal: Principal,
  part: readonly ProductInput[],
  now: Date,
): Promise<void> {
  const made = part.map((input) => ({ ...storedColumns(productColumns, input), id: randomUUID() }))
  const { columns, values } = insertFrom(productColumns, 'n')
  const at = sql`${now.toISOString()}::timestamptz`
  await rows(
    tx,
    sql`insert into products (id, ${columns}, created_at, updated_at)
        select n.id, ${values}, ${at}, ${at}
        from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as n(${productRecord})`,
  )
  const entries = made.map((row) => ({
    entity: 'product' as const,
    entityId: row.id,
    before: null,
    after: shownFields(productColumns, row),
  }))
  await writeAuditEntries(tx, actorId(principal), entries)
}
