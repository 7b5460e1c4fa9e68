import { sql } from 'drizzle-orm'
import { type AuditEntry, writeAuditEntries } from '#server/audit/audit-log.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { rows } from '#server/db/client.ts'
import { recordOf, setFrom, shownFields } from '#server/db/column-map.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { batched } from './batches.ts'
import type { ProductRow } from './read-products.ts'

/** One product before and after. */
export type RowChange = { before: ProductRow; after: ProductRow }

/** A product as JSON. */
export const productRecord = sql`id text, ${recordOf(productColumns)}`

/** Writes changed products with their audit entries. Returns the ids of the entries by product. The rows must be locked. */
export async function writeMany(
  tx: CatalogueTx,
  principal: Principal,
  changed: readonly RowChange[],
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for await (const part of batched(changed)) {
    const values = JSON.stringify(part.map(({ after }) => after))
    await rows(
      tx,
      sql`update products p set ${setFrom(productColumns, 'c')}, version = p.version + 1, updated_at = ${now.toISOString()}::timestamptz
          from jsonb_to_recordset(${values}::jsonb) as c(${productRecord})
          where p.id = c.id`,
    )
    for (const [id, change] of await writeAuditEntries(tx, actorId(principal), part.map(auditEntryOf)))
      all.set(id, change)
  }
  return all
}

const auditEntryOf = ({ before, after }: RowChange): AuditEntry => ({
  entity: 'product',
  entityId: before.id,
  before: shownFields(productColumns, before),
  after: shownFields(productColumns, after),
})
