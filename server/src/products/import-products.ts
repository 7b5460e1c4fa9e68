import { randomUUID } from 'node:crypto'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import type { ProductInput } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { type Asker, whoOf } from '#server/auth/asker.ts'
import { announceCatalogueChange } from '#server/catalogue/catalogue.ts'
import { writeChanges } from '#server/changes/write-change.ts'
import type { Tx } from '#server/db/client.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import type { Deps } from '#server/deps.ts'
import { lockProducts, shown, writeMany } from './change-many.ts'
import { type ImportPlan, planImport } from './plan-import.ts'
import { type BadRow, readCsv } from './product-csv.ts'
import { columnsOf } from './write-product.ts'

const MOST_ROWS = 20_000
/** Bad rows that are told, and rows per statement. */
const MOST_BAD = 1_000
const PART = 2_000

/**
 * Brings a file of products in: all of it, or nothing when a row is bad. With `dryRun` nothing is written and the
 * report says what would be.
 * @throws ShopError `input.invalid`, details `{ report }`
 */
export async function importProducts(
  deps: Deps,
  asker: Asker,
  text: string,
  { dryRun }: { dryRun: boolean },
): Promise<ImportReport> {
  const { rows: file, bad } = readCsv(text)
  if (file.length > MOST_ROWS)
    throw new ShopError('input.too_large', `A file may have at most ${MOST_ROWS} products.`)
  const report = await deps.db.transaction(async (tx) => {
    const titles = await tx
      .select({ id: categories.id, title: categories.title })
      .from(categories)
      .orderBy(categories.id)
      .for('key share')
    const plan = planImport(file, {
      products: await lockProducts(
        tx,
        file.flatMap(({ cells }) => cells._id ?? []),
      ),
      categories: new Map(titles.map(({ id, title }) => [id, title])),
    })
    const report = reportOf(plan, bad, dryRun)
    if (report.applied) await writePlan(tx, asker, plan, deps.now())
    return report
  })
  if (report.applied) deps.catalogue.changed()
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
    bad: bad.slice(0, MOST_BAD),
    applied: !dryRun && bad.length === 0,
  }
}

async function writePlan(tx: Tx, asker: Asker, plan: ImportPlan, now: Date): Promise<void> {
  await writeMany(tx, asker, plan.changed, now)
  for (let from = 0; from < plan.created.length; from += PART)
    await insertPart(tx, asker, plan.created.slice(from, from + PART), now)
  if (plan.created.length > 0) await announceCatalogueChange(tx)
}

async function insertPart(tx: Tx, asker: Asker, part: readonly ProductInput[], now: Date): Promise<void> {
  const values = part.map((input) => ({
    ...columnsOf(input),
    id: randomUUID(),
    title: input.title,
    categoryId: input.category_id,
    createdAt: now,
    updatedAt: now,
  }))
  const made = await tx.insert(products).values(values).returning()
  const noted = made.map((row) => ({
    entity: 'product' as const,
    entityId: row.id,
    before: null,
    after: shown(row),
  }))
  await writeChanges(tx, whoOf(asker), noted)
}
