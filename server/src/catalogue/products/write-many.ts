import { createHash } from 'node:crypto'
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

/** One product before and after; `images`: paths of its pictures, where some are added. */
export type RowChange = {
  before: ProductRow
  after: ProductRow
  images?: { before: readonly string[]; added: readonly string[] }
}

/** An id that follows from `words`: what is sent again makes nothing twice. */
export function derivedId(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

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

const auditEntryOf = ({ before, after, images }: RowChange): AuditEntry => ({
  entity: 'product',
  entityId: before.id,
  before: { ...shownFields(managedColumns, before), ...(images && { imagePaths: images.before }) },
  after: {
    ...shownFields(managedColumns, after),
    ...(images && { imagePaths: [...images.before, ...images.added] }),
  },
})

/** A new product: its id, what is typed of it, and paths of pictures that `addImages` gives it. */
type NewRow = ProductColumns & { id: string; imagePaths?: readonly string[] }

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
        const { imagePaths } = row
        const after = { ...shownFields(productColumns, row), ...(imagePaths && { imagePaths }) }
        return { entity: 'product', entityId: row.id, before: null, after }
      })
    for (const [id, change] of await writeAuditEntries(tx, who, entries)) all.set(id, change)
  }
  return all
}

/** Adds pictures after those that products have. The rows must be locked, or be new; the audit entries are the caller's. */
export async function addImages(
  tx: CatalogueTx,
  added: readonly { id: string; paths: readonly string[] }[],
): Promise<void> {
  const values = JSON.stringify(added.flatMap(({ id, paths }) => paths.map((path, at) => ({ id, path, at }))))
  await rows(
    tx,
    sql`insert into product_images (product_id, position, path)
        select n.id, n.at + coalesce((select max(i.position) + 1 from product_images i where i.product_id = n.id), 0), n.path
        from jsonb_to_recordset(${values}::jsonb) as n(id text, path text, at integer)`,
  )
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
