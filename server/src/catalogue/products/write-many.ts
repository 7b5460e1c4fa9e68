import { plus } from '@befaqt/domain/quantity'
import { nextMoment } from '@befaqt/domain/schedule'
import { sql } from 'drizzle-orm'
import { type AuditEntry, writeAuditEntries } from '#server/audit/audit-log.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { managedColumns, type ProductColumns, productColumns } from '#server/catalogue/columns.ts'
import { rows } from '#server/db/client.ts'
import { insertFrom, recordOf, setFrom, shownFields } from '#server/db/column-map.ts'
import { enqueueDue } from './plan.ts'
import { batched, type ProductRow } from './read-products.ts'

/** One product before and after. */
export type RowChange = { before: ProductRow; after: ProductRow }

/**
 * Writes changed products with their audit entries, and has their next moments kept. Returns the ids of the entries by
 * product. The rows must be locked. @param who the actor id
 */
export async function writeMany(
  tx: CatalogueTx,
  who: string,
  changed: readonly RowChange[],
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for await (const part of batched(changed)) {
    const dueAt = part.map(({ after }) => nextMoment(after.schedule))
    const values = JSON.stringify(part.map(({ after }, i) => ({ ...after, dueAt: dueAt[i] ?? null })))
    await rows(
      tx,
      sql`update products p set ${setFrom(managedColumns, 'c')}, due_at = c."dueAt", version = p.version + 1, updated_at = ${now.toISOString()}::timestamptz
          from jsonb_to_recordset(${values}::jsonb)
            as c(id text, ${recordOf(managedColumns)}, "dueAt" timestamptz)
          where p.id = c.id`,
    )
    await enqueueDue(tx, dueAt, now)
    for (const [id, change] of await writeAuditEntries(tx, who, part.map(auditEntryOf))) all.set(id, change)
  }
  return all
}

const auditEntryOf = ({ before, after }: RowChange): AuditEntry => ({
  entity: 'product',
  entityId: before.id,
  before: shownFields(managedColumns, before),
  after: shownFields(managedColumns, after),
})

/** A new product: its id and what is typed of it. */
type NewRow = ProductColumns & { id: string }

/**
 * Inserts products with their audit entries; those whose id is there already are left alone. One statement with one
 * parameter: a parameter per cell takes three times as long to prepare. Returns the ids of the entries by product.
 * @param who the actor id
 */
export async function insertMany(
  tx: CatalogueTx,
  who: string,
  made: readonly NewRow[],
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  const { columns, values } = insertFrom(productColumns, 'n')
  const at = sql`${now.toISOString()}::timestamptz`
  for await (const part of batched(made)) {
    const added = await rows<{ id: string }>(
      tx,
      sql`insert into products (id, ${columns}, created_at, updated_at)
          select n.id, ${values}, ${at}, ${at}
          from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as n(id text, ${recordOf(productColumns)})
          on conflict (id) do nothing returning id`,
    )
    const isNew = new Set(added.map(({ id }) => id))
    const entries = part
      .filter(({ id }) => isNew.has(id))
      .map((row): AuditEntry => {
        return { entity: 'product', entityId: row.id, before: null, after: shownFields(productColumns, row) }
      })
    for (const [id, change] of await writeAuditEntries(tx, who, entries)) all.set(id, change)
  }
  return all
}

/**
 * Adds to the stock of products, or takes from it, all that is said of one together. The rows must be locked (`lock`).
 * It counts as a change for a manager's form that was opened before, so that the form can't restore the old stock. The
 * audit log has the orders, not these. Whether the public catalogue shows something else then is for the caller to find out (`sellable.ts`).
 */
export async function changeStock(
  tx: CatalogueTx,
  added: readonly (readonly [id: string, units: number])[],
): Promise<void> {
  const sums = [...Map.groupBy(added, ([id]) => id)].map(([id, of]) => ({
    id,
    quantity: of.reduce((sum, [, units]) => plus(sum, units), 0),
  }))
  const values = JSON.stringify(sums.filter(({ quantity }) => quantity !== 0))
  await rows(
    tx,
    sql`update products p set stock = p.stock + c.quantity, version = p.version + 1, updated_at = clock_timestamp()
        from jsonb_to_recordset(${values}::jsonb) as c(id text, quantity numeric)
        where p.id = c.id`,
  )
}
