import { isDeepStrictEqual } from 'node:util'
import type { Undone } from '@befaqt/domain/api/manage-api'
import { ProductPatch } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { changes } from '#server/db/schema/shop.ts'
import type { Principal } from '#server/identity/principal.ts'
import { bulkChanged, MAX_PRODUCTS } from './bulk-change.ts'
import { type RowChange, writeMany } from './change-many.ts'
import type { ProductRow } from './read-products.ts'

const change = z.int('a change is a whole number').positive().max(2_147_483_647)

/** Ids of the changes to undo, as bulk changes return them. */
export const UndoChanges = z.strictObject({
  changes: z.array(change).min(1, 'no change was named').max(MAX_PRODUCTS),
})
export type UndoChanges = z.infer<typeof UndoChanges>

/** The fields that bulk changes can change. */
const Undoable = ProductPatch.pick({ status: true, stock: true, price: true }).strict()

/**
 * Undoes changes of products, in one transaction: only the fields that a change touched, and only if it is the last
 * change of its product. A product that was changed since is left unchanged, also one whose stock orders have changed.
 * @throws ShopError `not_found` for a change that is not of a product, `input.invalid` for one of other fields
 */
export async function undoChanges(
  deps: CatalogueWriter & { now: () => Date },
  principal: Principal,
  wanted: UndoChanges,
): Promise<Undone> {
  return changeCatalogue(
    deps,
    async (tx) => {
      const undone = await changesOf(tx, wanted.changes)
      const [found] = await lock(tx).products(undone.keys())
      const last = await lastChanges(tx, [...undone.keys()])
      const all = [...undone].flatMap(([id, { change, before, after }]): RowChange[] => {
        const row = found.get(id)
        return row && last.get(id) === change && isAsWritten(row, after)
          ? [{ before: row, after: restored(row, before) }]
          : []
      })
      const written = await writeMany(tx, principal, all, deps.now())
      const rows = all.map(({ before, after }) => bulkChanged(before.version + 1, after, written))
      return { rows, left: [...undone.keys()].filter((id) => !written.has(id)) }
    },
    ({ rows }) => rows.length > 0,
  )
}

type AuditedChange = { change: number; before: unknown; after: unknown }

/** The changes by product; the newest if there are several. */
async function changesOf(tx: CatalogueTx, ids: readonly number[]): Promise<Map<string, AuditedChange>> {
  const wanted = [...new Set(ids)]
  const found = await tx
    .select({ change: changes.id, id: changes.entityId, before: changes.before, after: changes.after })
    .from(changes)
    .where(
      and(
        sql`${changes.id} = any(${sql.param(wanted)}::int[])`,
        eq(changes.entity, 'product'),
        eq(changes.action, 'update'),
      ),
    )
    .orderBy(changes.id)
  if (found.length < wanted.length) throw new ShopError('not_found', 'There is no such change of a product.')
  return new Map(found.map(({ id, change, before, after }) => [id, { change, before, after }]))
}

/** The last change of each product. */
async function lastChanges(tx: CatalogueTx, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await tx
    .select({ id: changes.entityId, change: max(changes.id) })
    .from(changes)
    .where(and(eq(changes.entity, 'product'), sql`${changes.entityId} = any(${sql.param(ids)}::text[])`))
    .groupBy(changes.entityId)
  return new Map(found.map(({ id, change }) => [id, change ?? 0]))
}

/** Has a product still the values that a change gave it? Orders take from its stock without a change of their own. */
function isAsWritten(row: ProductRow, after: unknown): boolean {
  const fields = Undoable.safeParse(after)
  if (!fields.success) return true // what can't be undone is refused by `restored`
  const { status, stock, price } = shownFields(productColumns, row)
  return isDeepStrictEqual({ status, stock, price, ...fields.data }, { status, stock, price })
}

/** A product as it was before a change that touched these fields. */
function restored(row: ProductRow, before: unknown): ProductRow {
  const fields = Undoable.safeParse(before)
  if (!fields.success) throw new ShopError('input.invalid', 'This change can’t be undone.')
  return { ...row, ...storedColumns(productColumns, fields.data) }
}
