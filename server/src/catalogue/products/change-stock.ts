import { sql } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'

/**
 * Adds to the stock of products, or takes from it. The rows must be locked (`lock`). It counts as a change for
 * a manager's form that was opened before, so that the form can't restore the old stock. The audit log has the orders,
 * not these. Whether the public catalogue shows something else then is for the caller to find out (`sellable.ts`).
 */
export async function changeStock(tx: CatalogueTx, added: ReadonlyMap<string, number>): Promise<void> {
  const values = JSON.stringify([...added].map(([id, quantity]) => ({ id, quantity })))
  await rows(
    tx,
    sql`update products p set stock = p.stock + c.quantity, version = p.version + 1, updated_at = clock_timestamp()
        from jsonb_to_recordset(${values}::jsonb) as c(id text, quantity numeric)
        where p.id = c.id`,
  )
}
