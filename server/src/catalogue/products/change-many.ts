import { sql } from 'drizzle-orm'
import { type AuditEntry, writeAuditEntries } from '#server/audit/audit-log.ts'
import { announceCatalogueChange } from '#server/catalogue/catalogue.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { inParts, isOneOf } from './in-parts.ts'
import type { ProductRow } from './read-products.ts'
import type { TypedColumns } from './write-product.ts'

/** As JavaScript sorts them. */
const inOneOrder = sql`${products.id} collate "C"`

/** Products as they stand, locked in one order, so that two who change many can't wait for each other. */
export async function lockProducts(tx: Tx, ids: readonly string[]): Promise<Map<string, ProductRow>> {
  const found = new Map<string, ProductRow>()
  for await (const part of inParts([...new Set(ids)].sort())) {
    const locked = await tx.select().from(products).where(isOneOf(part)).orderBy(inOneOrder).for('update')
    for (const row of locked) found.set(row.id, row)
  }
  return found
}

/** One product before and after. */
export type RowChange = { before: ProductRow; after: ProductRow }

/** What PostgreSQL reads of a row that comes as JSON. */
export const recordColumns = sql.raw(`id text, title text, "categoryId" text, "priceCents" int, unit text,
  "includeGst" boolean, discount int, stock int, "shelfPos" text, status text, description text`)

/** Writes many changed products with their history, and answers the ids of its changes by product. The rows have to be locked. */
export async function writeMany(
  tx: Tx,
  principal: Principal,
  changed: readonly RowChange[],
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for await (const part of inParts(changed)) {
    const values = JSON.stringify(part.map(({ after }) => after))
    await rows(
      tx,
      sql`update products p set title = c.title, category_id = c."categoryId", price_cents = c."priceCents",
            unit = c.unit, include_gst = c."includeGst", discount = c.discount, stock = c.stock,
            shelf_pos = c."shelfPos", status = c.status, description = c.description,
            version = p.version + 1, updated_at = ${now.toISOString()}::timestamptz
          from jsonb_to_recordset(${values}::jsonb) as c(${recordColumns})
          where p.id = c.id`,
    )
    for (const [id, change] of await writeAuditEntries(tx, actorId(principal), part.map(noted)))
      all.set(id, change)
  }
  if (changed.length > 0) await announceCatalogueChange(tx)
  return all
}

const noted = ({ before, after }: RowChange): AuditEntry => ({
  entity: 'product',
  entityId: before.id,
  before: shown(before),
  after: shown(after),
})

/** A row under the names that managers know. */
export function shown(row: TypedColumns): Record<string, unknown> {
  const { title, unit, discount, stock, shelfPos, status, description } = row
  const fields = { title, unit, discount, stock, shelfPos, status, description }
  const named = { category_id: row.categoryId, price: row.priceCents / 100, includeGST: row.includeGst }
  return { ...fields, ...named }
}
